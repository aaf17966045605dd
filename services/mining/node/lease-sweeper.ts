import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { MiningNode } from './node.js';

const EVERY_MS = 10_000;
/** Longer than a sweep takes, so that one replica at a time does it. */
const HELD_MS = 60_000;

interface LeaseSweeperDeps {
  node: Pick<MiningNode, 'pauseExpired'>;
  /** Awaits what the pauses have to announce. */
  announced: () => Promise<void>;
  leases: Leases;
  clock: Clock;
  log: Log;
}

/** Pauses nodes whose lease has ended: every ten seconds in one replica, and whenever the clock was moved. */
export function startLeaseSweeper({ node, announced, leases, clock, log }: LeaseSweeperDeps): {
  stop(): Promise<void>;
} {
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    try {
      if ((await leases.acquire('node-leases', HELD_MS)) === null) return;
      const paused = await node.pauseExpired();
      await announced();
      if (paused > 0) log.info({ paused }, 'nodes paused at the end of their leases');
    } catch (err) {
      log.warn({ err }, 'a sweep of the leases failed; the next one makes up for it');
    }
  };
  const next = () => {
    running = running.then(sweep);
    return running;
  };
  const timer = setInterval(next, EVERY_MS);
  const offAdvance = clock.onAdvance(next);
  return {
    async stop() {
      clearInterval(timer);
      offAdvance();
      await running;
    },
  };
}
