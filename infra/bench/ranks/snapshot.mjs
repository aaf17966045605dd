import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../dev/starter/paths.mjs';
import { accountOf, idOf, profileOf } from './crowd.ts';

/** A board of the first so many of the crowd, by the events that tell of them. */
export async function boardOf(count, nowMs) {
  const { Board } = await distOf('domain/board.js');
  const board = new Board(nowMs);
  await board.fill(async () => {
    for (let n = 0; n < count; n += 1) {
      board.applyProfile(idOf(n), 1, profileOf(n, nowMs));
      board.applyAccount(idOf(n), 7, accountOf(n, nowMs));
    }
  });
  return board;
}

/** Writes the snapshot of a board up to where the streams are now, as the service does. */
export async function saveSnapshot(nats, mongodbUri, board, nowMs) {
  const [{ openStore }, { connectStore }] = await Promise.all([distOf('store.js'), import('@cord/kit/store')]);
  const connection = await connectStore(mongodbUri, 'cord_leaderboard', nats.log);
  const places = {};
  for (const stream of ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS']) {
    const { created, state } = await nats.jsm.streams.info(stream);
    places[stream] = { created, seq: state.last_seq };
  }
  await openStore(connection).saveSnapshot({ places, atMs: nowMs }, board);
  await connection.close();
}

/** A built file of the leaderboard. */
export function distOf(file) {
  return import(pathToFileURL(join(ROOT, 'services/leaderboard/dist', file)).href);
}
