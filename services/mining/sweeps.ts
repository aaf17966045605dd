import { hourStartMs } from '@cord/contracts/rules/days';
import type { Log } from '@cord/kit/log';
import { type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import type { Account } from './ledger/account.js';
import type { Ledger } from './ledger/ledger.js';
import { closeCommissionStep } from './ledger/series.js';
import type { Moment } from './ledger/settle.js';
import { expireStep, forgetStep } from './node/steps.js';
import type { Reads } from './store/reads.js';

const EVERY_MS = 10_000;
const LEASE_MS = 60_000;
/** Batches of one sweep; what is left waits for the next. */
const ROUNDS_MAX = 1_000;

interface SweepDeps extends PeriodicParts {
  ledger: Ledger;
  reads: Reads;
  log: Log;
  /** Takes what was told of former states of these nodes out of the stream: what the sweep tells stands in their place. */
  forgetFormer(userIds: readonly string[]): Promise<void>;
}

/** What falls due by the clock alone: by index, batch after batch (money.md, Accrual; Commission). */
interface Sweep {
  name: string;
  said: string;
  due(reads: Reads, nowMs: number): Promise<string[]>;
  step(account: Account, moment: Moment): Account;
  /** What comes before the step, and again after a crash between the two. */
  before?(deps: SweepDeps, userIds: readonly string[]): Promise<void>;
}

const SWEEPS: readonly Sweep[] = [
  {
    name: 'node-leases',
    said: 'nodes paused at the end of their leases',
    due: (reads, nowMs) => reads.expiredLeases(nowMs),
    step: expireStep,
  },
  {
    name: 'open-commissions',
    said: 'hours of commission became entries',
    due: (reads, nowMs) => reads.openCommissions(hourStartMs(nowMs)),
    step: closeCommissionStep,
  },
  {
    name: 'old-addresses',
    said: 'nodes have forgotten their addresses',
    due: (reads, nowMs) => reads.dueToForget(nowMs),
    step: forgetStep,
    before: (deps, userIds) => deps.forgetFormer(userIds),
  },
];

/** Sweeps every ten seconds in one replica, and whenever the clock was moved. */
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

async function changeDue(deps: SweepDeps, { due, step, said, before }: Sweep, turn: Turn): Promise<void> {
  const { ledger, reads, log } = deps;
  let changed = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const userIds = await due(reads, ledger.moment().nowMs);
    if (userIds.length === 0 || !(await turn.mine())) break;
    await before?.(deps, userIds);
    const changes = await Promise.all(userIds.map((userId) => ledger.change(userId, step)));
    const now = changes.filter(({ before, after }) => before !== after).length;
    changed += now;
    // Accounts whose outbox is full stay as they are; the next sweep finds them again.
    if (now === 0) break;
  }
  if (changed === 0) return;
  await ledger.flush();
  log.info({ changed }, said);
}
