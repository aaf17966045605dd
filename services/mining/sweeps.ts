import { hourStartMs } from '@cord/contracts/rules/days';
import { inBatches } from '@cord/kit/batches';
import type { Log } from '@cord/kit/log';
import { type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import type { IdFilter } from '@cord/kit/store/first-matching';
import type { Account } from './ledger/account.js';
import type { Ledger } from './ledger/ledger.js';
import { closeCommissionStep } from './ledger/series.js';
import type { Moment } from './ledger/settle.js';
import { expireStep, forgetStep } from './node/steps.js';
import type { DueAccounts, Reads } from './store/reads.js';

const EVERY_MS = 10_000;
const LEASE_MS = 60_000;
/** Number of accounts per batch. */
const BATCH = 64;

interface SweepDeps extends PeriodicParts {
  ledger: Ledger;
  reads: Reads;
  log: Log;
  /** Returns the last sequence of the stream of node events. */
  lastNodeEventSeq(): Promise<number>;
  /**
   * Purges the events of a node up to a sequence from the stream. The event that the sweep publishes replaces them.
   * Later events of a node that has started stay.
   */
  purgeFormerEvents(userId: string, place: number): Promise<void>;
}

/** Changes that are due by the clock alone, found by index, batch after batch. */
interface Sweep {
  name: string;
  message: string;
  due(reads: Reads, nowMs: number): DueAccounts;
  step(account: Account, moment: Moment): Account;
  /** Runs before the step, and again after a crash between the two. @param place last sequence of the stream before the read */
  before?(deps: SweepDeps, userId: string, place: number): Promise<void>;
}

const SWEEPS: readonly Sweep[] = [
  {
    name: 'node-leases',
    message: 'nodes paused at the end of their leases',
    due: (reads, nowMs) => reads.expiredLeases(nowMs),
    step: expireStep,
  },
  {
    name: 'open-commissions',
    message: 'hours of commission were written as entries',
    due: (reads, nowMs) => reads.openCommissions(hourStartMs(nowMs)),
    step: closeCommissionStep,
  },
  {
    name: 'old-addresses',
    message: 'address hashes of nodes were deleted',
    due: (reads, nowMs) => reads.dueToForget(nowMs),
    step: forgetStep,
    before: (deps, userId, place) => deps.purgeFormerEvents(userId, place),
  },
];

/** Sweeps every ten seconds in one replica, and whenever the clock is moved. */
export function startSweeps(deps: SweepDeps): { stop(): Promise<void> } {
  const sweeping = SWEEPS.map((sweep) =>
    periodic(deps, {
      name: sweep.name,
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      run: (turn) => changeDue(deps, sweep, turn),
    }),
  );
  for (const one of sweeping) one.start();
  return {
    async stop() {
      await Promise.all(sweeping.map((one) => one.stop()));
    },
  };
}

async function changeDue(deps: SweepDeps, { due, step, message, before }: Sweep, turn: Turn): Promise<void> {
  const { ledger, reads, log } = deps;
  let changed = 0;
  let place = 0;
  const change = async (userId: string): Promise<'left' | 'changed'> => {
    await before?.(deps, userId, place);
    const change = await ledger.change(userId, step);
    // An account with a full outbox is unchanged; the next run finds it again.
    if (change.before === change.after) return 'left';
    await ledger.relayed(userId);
    changed += 1;
    return 'changed';
  };
  const readDue = () => {
    const accounts = due(reads, ledger.moment().nowMs);
    return {
      async read(limit: number, takes: IdFilter) {
        // Noted before the read: a node that starts after it is not due, or publishes behind that sequence.
        if (before) place = await deps.lastNodeEventSeq();
        return accounts(limit, takes);
      },
      each: change,
    };
  };
  try {
    await inBatches(turn, BATCH, readDue);
  } finally {
    if (changed > 0) log.info({ changed }, message);
  }
}
