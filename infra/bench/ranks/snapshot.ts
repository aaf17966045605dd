import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import type { Nats } from '@cord/kit/nats';
import type { Board } from '../../../services/leaderboard/domain/board.ts';
import { built } from '../../cli/system.ts';
import { accountOf, idOf, profileOf } from './crowd.ts';

/** Makes a board of the first `count` users from their events. */
export async function boardOf(count: number, nowMs: number): Promise<Board> {
  const { Board } = await built<typeof import('../../../services/leaderboard/domain/board.ts')>(
    'services/leaderboard/dist/domain/board.js',
  );
  const board = new Board(nowMs, () => FIRST_BOOK);
  await board.fill(async () => {
    for (let n = 0; n < count; n += 1) {
      board.applyProfile(idOf(n), 1, profileOf(n, nowMs));
      board.applyAccount(idOf(n), 7, accountOf(n, nowMs));
    }
  });
  return board;
}

/** Writes the snapshot of a board up to the current end of the streams, as the service does. */
export async function saveSnapshot(nats: Nats, mongodbUri: string, board: Board, nowMs: number): Promise<void> {
  const [{ openStore }, { connectStore }] = await Promise.all([
    built<typeof import('../../../services/leaderboard/store.ts')>('services/leaderboard/dist/store.js'),
    import('@cord/kit/store'),
  ]);
  const connection = await connectStore(mongodbUri, 'cord_leaderboard', nats.log);
  const places: Record<string, { created: string; seq: number }> = {};
  for (const stream of ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS']) {
    const { created, state } = await nats.jsm.streams.info(stream);
    places[stream] = { created, seq: state.last_seq };
  }
  await openStore(connection).saveSnapshot({ places, atMs: nowMs, online: 0 }, board);
  await connection.close();
}
