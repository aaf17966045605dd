import type { Clock } from '@cord/kit/clock';
import { type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import type { Board } from './domain/board.js';
import type { Presence } from './domain/presence.js';
import type { Following } from './events.js';
import type { LeaderboardStore } from './store.js';

const EVERY_MS = 300_000;
/** Longer than the interval, so that the same replica keeps writing. */
const LEASE_MS = 420_000;

/** Writes the board into the store every five minutes, from the replica that holds the lease (services/contracts/rules/README.md#rankings). */
export function writeSnapshots({
  board,
  following,
  store,
  presence,
  ...parts
}: PeriodicParts & {
  board: Board;
  presence: Pick<Presence, 'count'>;
  following: Following;
  store: LeaderboardStore;
  clock: Clock;
}): { writeOnce(): Promise<boolean>; stop(): Promise<void> } {
  let written = '';
  const write = async ({ lease }: Turn): Promise<boolean> => {
    // Read before the board: later events are in the snapshot and are read again.
    const places = following.places();
    const text = JSON.stringify(places);
    if (!places || text === written || !(await lease())) return false;
    const atMs = parts.clock.now();
    await store.saveSnapshot({ places, atMs, online: presence.count(atMs) }, board);
    written = text;
    return true;
  };
  const writing = periodic(parts, { name: 'snapshots', everyMs: EVERY_MS, leaseMs: LEASE_MS, soon: false, run: write });
  writing.start();
  return { writeOnce: () => writing.inTurn(write), stop: writing.stop };
}
