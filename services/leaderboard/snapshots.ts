import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Board } from './domain/board.js';
import type { Following } from './events.js';
import type { LeaderboardStore } from './store.js';

const EVERY_MS = 300_000;
/** Longer than the interval, so that the same replica goes on writing. */
const LEASE_MS = 420_000;

/** Writes the board into the store every five minutes, by whichever replica holds the lease (money.md, Rankings). */
export function writeSnapshots({
  board,
  following,
  store,
  leases,
  clock,
  log,
}: {
  board: Board;
  following: Following;
  store: LeaderboardStore;
  leases: Leases;
  clock: Clock;
  log: Log;
}): { writeOnce(): Promise<boolean>; stop(): Promise<void> } {
  let writtenSeq = -1;
  let running: Promise<unknown> = Promise.resolve();
  const writeOnce = async (): Promise<boolean> => {
    const balanceStreamSeq = following.balanceStreamSeq();
    if (balanceStreamSeq === writtenSeq || !(await leases.acquire('snapshots', LEASE_MS))) return false;
    await store.saveSnapshot({ balanceStreamSeq, atMs: clock.now() }, board.miners());
    writtenSeq = balanceStreamSeq;
    return true;
  };
  const timer = setInterval(() => {
    running = writeOnce().catch((err: unknown) => log.warn({ err }, 'no snapshot was written'));
  }, EVERY_MS);
  return {
    writeOnce,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
