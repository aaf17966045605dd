import type { LiveData } from '@cord/contracts/live/data';
import { LIVE_STATS_MS } from '@cord/contracts/live/kinds';
import { PERIODIC_JITTER } from '@cord/kit/bounds';
import type { Clock } from '@cord/kit/clock';
import type { Live } from '@cord/kit/live';
import { type Periodic, type PeriodicParts, periodic } from '@cord/kit/periodic';

/** The interval after jitter is never below LIVE_STATS_MS. */
const EVERY_MS = LIVE_STATS_MS / (1 - PERIODIC_JITTER);
/** Longer than the interval, so that the same replica keeps sending. */
const LEASE_MS = 2 * EVERY_MS;

/** Sends changed statistics of the whole site, at most every half minute, from the replica that holds the lease. */
export function sendStats({
  statsAt,
  live,
  ...parts
}: PeriodicParts & {
  statsAt(nowMs: number): Omit<LiveData['stats'], 'seq'>;
  live: Pick<Live, 'sendAll'>;
  clock: Clock;
}): Periodic {
  let sent = '';
  return periodic(parts, {
    name: 'live stats',
    everyMs: EVERY_MS,
    leaseMs: LEASE_MS,
    soon: false,
    async run({ lease }) {
      const nowMs = parts.clock.now();
      const stats = statsAt(nowMs);
      const text = JSON.stringify(stats);
      if (text === sent || !(await lease())) return;
      live.sendAll('stats', { seq: String(nowMs), ...stats });
      sent = text;
    },
  });
}
