import { dayKey } from '@cord/contracts/rules/days';
import type { DaySums } from '@cord/kit/day-sums';

/** Name of the check-in in the sums; no task id can equal it. */
const CHECK_IN = 'check in';

/** Claims of a task and their payout in a period, over all users. */
export interface ClaimedOfTask {
  count: number;
  /** Micro-CORD. */
  paidMicro: bigint;
  /** Number of claims by tier multiplier x 100; empty for check-ins, which are not multiplied. */
  byTier: Map<bigint, number>;
}

/** Counts all claims by day, task and tier, so that the effect of a changed reward can be estimated. */
export type Claimed = ReturnType<typeof createClaimed>;

interface ClaimedBy {
  task(taskId: string): ClaimedOfTask;
  checkIn: ClaimedOfTask;
}

/** Sums are named `<task>` for micro-CORD and `<task>:<tier>` for claims: task ids contain no colon. */
export function createClaimed(days: Pick<DaySums, 'add' | 'between' | 'first'>) {
  const add = (of: string, tier: string, micro: bigint, nowMs: number) => {
    days.add(dayKey(nowMs), of, micro);
    days.add(dayKey(nowMs), `${of}:${tier}`, 1n);
  };
  return {
    task: (claim: { taskId: string; tierHundredths: bigint; micro: bigint; nowMs: number }) =>
      add(claim.taskId, claim.tierHundredths.toString(), claim.micro, claim.nowMs),
    checkIn: ({ micro, nowMs }: { micro: bigint; nowMs: number }) => add(CHECK_IN, '', micro, nowMs),
    /** Returns the claims by task between two day keys, both included. */
    async between(first: string, last: string): Promise<ClaimedBy> {
      const sums = new Map<string, ClaimedOfTask>();
      const of = (name: string): ClaimedOfTask => sums.get(name) ?? { count: 0, paidMicro: 0n, byTier: new Map() };
      for (const day of await days.between(first, last)) {
        for (const [name, n = 0n] of Object.entries(day.sums)) {
          const [task = '', tier] = name.split(':');
          sums.set(task, tier === undefined ? paid(of(task), n) : claimedAt(of(task), tier, Number(n)));
        }
      }
      return { task: of, checkIn: of(CHECK_IN) };
    },
    /** The first day with counted claims. */
    first: days.first,
  };
}

function paid(known: ClaimedOfTask, micro: bigint): ClaimedOfTask {
  return { ...known, paidMicro: known.paidMicro + micro };
}

function claimedAt(known: ClaimedOfTask, tier: string, n: number): ClaimedOfTask {
  const byTier = new Map(known.byTier);
  if (tier !== '') byTier.set(BigInt(tier), (byTier.get(BigInt(tier)) ?? 0) + n);
  return { ...known, count: known.count + n, byTier };
}
