import { hourStartMs } from '@cord/contracts/rules/days';
import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Account } from './ledger/account.js';
import type { Ledger } from './ledger/ledger.js';
import { closeCommissionStep } from './ledger/series.js';
import type { Moment } from './ledger/settle.js';
import { expireStep } from './node/steps.js';
import type { Reads } from './store/reads.js';

const EVERY_MS = 10_000;
/** Longer than a sweep takes, so that one replica at a time does it. */
const HELD_MS = 60_000;
/** Batches of one sweep; what is left waits for the next. */
const ROUNDS_MAX = 1_000;

interface SweepDeps {
  ledger: Ledger;
  reads: Reads;
  leases: Leases;
  clock: Clock;
  log: Log;
}

/** What falls due by the clock alone: by index, batch after batch (money.md, Accrual; Commission). */
interface Sweep {
  /** The lease, so that one replica at a time does it. */
  lease: string;
  said: string;
  due(reads: Reads, nowMs: number): Promise<string[]>;
  step(account: Account, moment: Moment): Account;
}

const SWEEPS: readonly Sweep[] = [
  {
    lease: 'node-leases',
    said: 'nodes paused at the end of their leases',
    due: (reads, nowMs) => reads.expiredLeases(nowMs),
    step: expireStep,
  },
  {
    lease: 'open-commissions',
    said: 'hours of commission became entries',
    due: (reads, nowMs) => reads.openCommissions(hourStartMs(nowMs)),
    step: closeCommissionStep,
  },
];

/** Sweeps every ten seconds in one replica, and whenever the clock was moved. */
export function startSweeps(deps: SweepDeps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const next = () => {
    running = running.then(async () => {
      for (const sweep of SWEEPS) await sweepOnce(deps, sweep);
    });
    return running;
  };
  let stopping = false;
  // What earlier releases left is there once: looked for at the start, in batches, and done.
  const forgetting = forgetAddresses(deps, () => stopping);
  const timer = setInterval(next, EVERY_MS);
  const offAdvance = deps.clock.onAdvance(next);
  return {
    async stop() {
      stopping = true;
      clearInterval(timer);
      offAdvance();
      await forgetting;
      await running;
    },
  };
}

async function forgetAddresses({ reads, log }: SweepDeps, stopping: () => boolean): Promise<void> {
  let records = 0;
  try {
    for (let held = -1; held !== 0 && !stopping(); records += held) held = await reads.forgetAddresses();
    if (records > 0) log.info({ records }, 'session records forgot the addresses that an earlier release kept');
  } catch (err) {
    log.warn({ err }, 'session records still hold addresses; the next start makes up for it');
  }
}

async function sweepOnce({ ledger, reads, leases, log }: SweepDeps, sweep: Sweep): Promise<void> {
  try {
    // A look by index comes first: where nothing is due nothing is written, not even a lease.
    if ((await sweep.due(reads, ledger.moment().nowMs)).length === 0) return;
    if ((await leases.acquire(sweep.lease, HELD_MS)) === null) return;
    const changed = await changeDue(ledger, reads, sweep);
    await ledger.flush();
    if (changed > 0) log.info({ changed }, sweep.said);
  } catch (err) {
    log.warn({ err, sweep: sweep.lease }, 'a sweep failed; the next one makes up for it');
  }
}

/** @returns how many accounts were changed */
async function changeDue(ledger: Ledger, reads: Reads, { due, step }: Sweep): Promise<number> {
  let changed = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const userIds = await due(reads, ledger.moment().nowMs);
    if (userIds.length === 0) break;
    const changes = await Promise.all(userIds.map((userId) => ledger.change(userId, step)));
    const now = changes.filter(({ before, after }) => before !== after).length;
    changed += now;
    // Accounts whose outbox is full stay as they are; the next sweep finds them again.
    if (now === 0) break;
  }
  return changed;
}
