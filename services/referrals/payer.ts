import { commissionMicro } from '@cord/contracts/rules/bonuses';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import { periodic, type Turn } from '@cord/kit/periodic';
import { dueTimes } from '@cord/kit/store/due';
import pLimit from 'p-limit';
import type { Books } from './books.js';
import { confirmed } from './domain/commission.js';
import type { Dues } from './dues.js';
import type { Follow } from './follow.js';
import type { CommissionLedger } from './ledger.js';
import type { ReferralStore } from './store.js';

const LEASE_MS = 30_000;

/** Batch sizes and intervals of the payer. */
export type PayerBounds = typeof PAYER_BOUNDS;

export const PAYER_BOUNDS = {
  /** Interval of checking for referrers with due commission, ms. */
  everyMs: 5_000,
  /** Minimum time between two reports of a referrer's total, ms. */
  quietMs: 60_000,
  /** Referrers per batch. */
  batch: 256,
  /** Referrers reported in parallel: each waits for the store and the ledger several times. */
  atOnce: 16,
  /** Maximum number of reports of one total per round; several are needed only when it increases by more than one step. */
  stepsMax: 16,
};

/** Reports the totals of commission to the ledger (services/mining/ledger/README.md#commission). */
export type Payer = ReturnType<typeof createPayer>;

export function createPayer(parts: {
  store: Pick<ReferralStore, 'members' | 'sums' | 'due' | 'bonusesDue'>;
  books: Pick<Books, 'announce' | 'recount'>;
  follow: Pick<Follow, 'checkDue'>;
  dues: Dues;
  clock: Clock;
  leases: SharedLeases;
  log: Pick<Log, 'warn'>;
  metrics?: Metrics;
  ledger: Pick<CommissionLedger, 'accrue'>;
  /** Whether operators allow reporting commission: while off, all of it stays due. */
  isOn?: () => Promise<boolean>;
  bounds?: PayerBounds;
}) {
  const { store, books, follow, dues, clock, leases, log, metrics, ledger } = parts;
  const { isOn = async () => true, bounds = PAYER_BOUNDS } = parts;
  const limit = pLimit(bounds.atOnce);
  const begun = new Map<string, Promise<unknown>>();

  /** Reports one total until the ledger has all of it. @returns whether it has; true for an erased user, who is owed nothing */
  const accrue = async (referrerId: string, totalMicro: bigint): Promise<boolean> => {
    for (let steps = 0; steps < bounds.stepsMax; steps += 1) {
      const ledgerMicro = await ledger.accrue(referrerId, totalMicro);
      if (ledgerMicro === 'erased') return true;
      // The confirmed amount and its event are one write: after a crash before it, the total is reported again.
      await books.announce(referrerId, (member) => {
        const commission = confirmed(member.commission, 'paidMicro', ledgerMicro);
        return commission === member.commission ? null : { ...member, commission };
      });
      if (ledgerMicro >= totalMicro) return true;
    }
    return false;
  };
  const pay = async (referrerId: string): Promise<boolean> => {
    if (!(await isOn())) return false;
    const taken = await dues.take(referrerId);
    if (taken === null) return true;
    const { sumMicro, friends } = await store.sums.tally(referrerId);
    const totalMicro = commissionMicro(FIRST_BOOK, sumMicro);
    // The ledger confirmed this total before.
    const reported = totalMicro > taken.paidMicro;
    const whole = !reported || (await accrue(referrerId, totalMicro));
    // A process may have died between adding a friend and publishing the number; a report publishes it as well.
    if (!reported && friends !== taken.friends) await books.announce(referrerId);
    await (whole ? dues.settled(referrerId, taken.token, reported) : dues.postponed(referrerId));
    return whole;
  };
  /** Reports one referrer; a failure blocks no others, and the mark stays. */
  const payOne = async (referrerId: string): Promise<boolean> => {
    try {
      return await limit(() => pay(referrerId));
    } catch (err) {
      log.warn({ err, referrerId }, 'commission could not be reported; it stays due');
    }
    await dues
      .postponed(referrerId)
      .catch((err: unknown) =>
        log.warn({ err, referrerId }, 'due commission could not be postponed; it keeps its place'),
      );
    return false;
  };
  /** Counts a friend again; a failure blocks no others, because it moves the mark behind them. */
  const recountQuietly = async (friendId: string): Promise<void> => {
    try {
      await books.recount(friendId);
    } catch (err) {
      log.warn({ err, friendId }, 'a marked friend could not be recounted; retrying later');
      await store.members.update(friendId, (member) =>
        member.bonusAt === undefined ? null : { ...member, bonusAt: clock.now() },
      );
    }
  };
  /** Counts friends again whose wait for the 86 CORD is over. */
  const recountBonuses = async (byMs: number, turn: Turn): Promise<void> => {
    if ((await store.bonusesDue(byMs, 1)).length === 0 || !(await turn.lease())) return;
    for (const friendId of await store.bonusesDue(byMs, bounds.batch)) await recountQuietly(friendId);
  };
  const payAll = async (byMs: number, turn: Turn): Promise<void> => {
    // After the clock was moved, all books are updated as they would have been in that time.
    await follow
      .checkDue(byMs > clock.now() ? Number.MAX_SAFE_INTEGER : byMs, turn.lease)
      .catch((err: unknown) => log.warn({ err }, 'friends with running nodes could not be checked; retrying later'));
    await recountBonuses(Math.min(byMs, clock.now()), turn).catch((err: unknown) =>
      log.warn({ err }, 'friends with due bonuses could not be recounted; retrying later'),
    );
    if (!(await isOn())) return;
    for (;;) {
      const times = dueTimes(clock.now(), bounds.quietMs, byMs);
      if ((await store.due(times, 1)).length === 0 || !(await turn.lease())) return;
      const due = await store.due(times, bounds.batch);
      const outcomes = await Promise.all(due.map(payOne));
      // Without a success, the next batch would be the same.
      if (due.length < bounds.batch || !outcomes.includes(true)) return;
    }
  };
  const rounds = periodic(
    { clock, log, leases, metrics },
    {
      name: 'commission',
      everyMs: bounds.everyMs,
      leaseMs: LEASE_MS,
      // After the clock was moved, no caller waits for the quiet time.
      run: (turn) => payAll(clock.now() + (turn.moved ? bounds.quietMs : 0), turn),
    },
  );

  return {
    /** Reports the due commission of one referrer. @returns whether the ledger has all of it */
    pay,
    /** Reports all commission due by then, ms; default: now. */
    payDue: (byMs: number = clock.now()) => rounds.inTurn((turn) => payAll(byMs, turn)),
    /** Starts reporting one referrer's total, unless that is in progress. */
    soon(referrerId: string) {
      if (begun.has(referrerId)) return;
      const paying = payOne(referrerId).finally(() => begun.delete(referrerId));
      begun.set(referrerId, paying);
    },
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await Promise.all(begun.values());
    },
  };
}
