import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { PromisedCredit, PromisedCredits } from '@cord/kit/promised-credits';
import { createSlots } from '@cord/kit/slots';
import type { Books } from './books.js';
import { nextPayment, paid } from './domain/payment.js';
import type { ReferralStore } from './store.js';

/** How often referrers with something to pay are looked for, and how long a payment may gather, ms. Together under a minute. */
const EVERY_MS = 5_000;
const GATHER_MS = 20_000;
const LEASE_MS = 30_000;
const BATCH = 256;
/** Referrers paid at a time: each payment waits for the store and the ledger several times. */
const AT_ONCE = 16;
/** Payments of one referrer in one round: more than one only where the sum passes what the ledger takes at once. */
const PAYMENTS_MAX = 16;

/** Pays commission (money.md, Commission and referral bonuses). */
export interface Payer {
  /** Pays one referrer what is due. */
  pay(referrerId: string): Promise<void>;
  /** A payment stands in the ledger. */
  credited(userId: string, credit: PromisedCredit): Promise<void>;
  /** Pays everyone with something due since that many ms. */
  payDue(gatherMs?: number): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createPayer(parts: {
  store: ReferralStore;
  books: Books;
  clock: Clock;
  leases: Leases;
  log: Log;
  promises: () => PromisedCredits;
}): Payer {
  const { store, books, clock, leases, log, promises } = parts;
  const slots = createSlots(AT_ONCE);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let offAdvance: (() => void) | undefined;

  /** Fixes the next payment on the referrer's document. @returns the credit to make, or null when nothing is due */
  const fix = async (referrerId: string): Promise<PromisedCredit | null> => {
    // The mark goes first: what is earned while the sum is taken marks the referrer again.
    await store.members.change(referrerId, ({ dueAt, ...member }) => ({
      doc: dueAt === undefined ? null : member,
      result: undefined,
    }));
    const buckets = await store.bucketsOf(referrerId);
    const eligibleMicro = buckets.reduce((sum, bucket) => sum + bucket.sumMicro, 0n);
    return store.members.change(referrerId, (member) => {
      const commission = member.erased ? null : nextPayment(member.commission, eligibleMicro);
      if (!commission?.pending) return { doc: null, result: null };
      const credit = creditOf(referrerId, commission.pending);
      const promised = [...(member.promised ?? []), credit];
      return { doc: { ...member, commission, promised, promisedAt: member.promisedAt ?? clock.now() }, result: credit };
    });
  };
  const pay = async (referrerId: string): Promise<void> => {
    for (let payments = 0; payments < PAYMENTS_MAX; payments += 1) {
      const credit = await fix(referrerId);
      if (!credit) return;
      if ((await promises().settle(referrerId, credit)) === null) return;
    }
  };
  const payDue = async (gatherMs = GATHER_MS): Promise<void> => {
    if (!(await leases.acquire('commission', LEASE_MS))) return;
    for (;;) {
      const due = await store.dueBefore(clock.now() - gatherMs, BATCH);
      const outcomes = await Promise.allSettled(due.map((referrerId) => slots.run(() => pay(referrerId))));
      const failed = outcomes.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      if (due.length < BATCH) return;
    }
  };
  const round = (gatherMs?: number): Promise<void> => {
    running = running
      .then(() => payDue(gatherMs))
      .catch((err: unknown) => log.warn({ err }, 'commission could not be paid; it stays due'));
    return running;
  };

  return {
    pay,
    payDue,
    async credited(userId, credit) {
      const n = BigInt(credit.key.slice(credit.key.lastIndexOf(':') + 1));
      await store.members.change(userId, (member) => {
        const commission = paid(member.commission, n);
        if (commission === member.commission) return { doc: null, result: undefined };
        // Looked at once more: while this payment was pending, nothing else could be fixed.
        return { doc: { ...member, commission, dueAt: member.dueAt ?? clock.now() }, result: undefined };
      });
      await store.savePayment({ _id: credit.key, userId, atMs: clock.now(), amountMicro: credit.amountMicro });
      await books.announce(userId);
    },
    start() {
      timer = setInterval(() => void round(), EVERY_MS);
      offAdvance = clock.onAdvance(() => round(0));
    },
    async stop() {
      clearInterval(timer);
      offAdvance?.();
      await running;
    },
  };
}

function creditOf(referrerId: string, pending: { n: bigint; fromMicro: bigint; toMicro: bigint }): PromisedCredit {
  return {
    key: `commission:${referrerId}:${pending.n}`,
    userId: referrerId,
    source: 'commission',
    amountMicro: pending.toMicro - pending.fromMicro,
    reason: '10 % of what friends earned',
  };
}
