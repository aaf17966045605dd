import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../dev/starter/paths.mjs';
import { accountOf, idOf, profileOf } from './crowd.mjs';

/** Makes the n-th user of the crowd as the board holds it. */
export async function minerMaker(nowMs) {
  const { newMiner, takeAccount } = await distOf('domain/miner.js');
  return (n) => {
    const miner = Object.assign(newMiner(idOf(n)), profileOf(n, nowMs), { profileSeq: 1 });
    takeAccount(miner, 7, accountOf(n, nowMs));
    return miner;
  };
}

/** Writes the snapshot of a crowd up to where the streams are now, as the service does. */
export async function saveSnapshot(nats, mongodbUri, count, nowMs) {
  const [{ openStore }, { connectStore }, minerOf] = await Promise.all([
    distOf('store.js'),
    import('@cord/kit/store'),
    minerMaker(nowMs),
  ]);
  const connection = await connectStore(mongodbUri, 'cord_leaderboard', nats.log);
  const places = {};
  for (const stream of ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS']) {
    const { created, state } = await nats.jsm.streams.info(stream);
    places[stream] = { created, seq: state.last_seq };
  }
  function* miners() {
    for (let n = 0; n < count; n += 1) yield minerOf(n);
  }
  await openStore(connection).saveSnapshot({ places, atMs: nowMs }, { miners, erased: () => [] });
  await connection.close();
}

/** A built file of the leaderboard. */
export function distOf(file) {
  return import(pathToFileURL(join(ROOT, 'services/leaderboard/dist', file)).href);
}
