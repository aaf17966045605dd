import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { PromisedCredit, PromisedCredits } from '@cord/kit/promised-credits';
import { createSlots } from '@cord/kit/slots';
import type { Books } from './books.js';
import { nextPayment, paid } from './domain/payment.js';
import type { Dues } from './dues.js';
import type { ReferralStore } from './store.js';

const LEASE_MS = 30_000;

/** How much is done at a time, and how often. */
export interface PayerBounds {
  /** How often referrers with something to pay are looked for, and how long a payment may gather, ms. Together under a minute. */
  everyMs: number;
  gatherMs: number;
  /** Referrers read at a time. */
  batch: number;
  /** Referrers paid at a time: each payment waits for the store and the ledger several times. */
  atOnce: number;
  /** Payments of one referrer in one round: more than one only where the sum passes what the ledger takes at once. */
  paymentsMax: number;
}

export const PAYER_BOUNDS: PayerBounds = { everyMs: 5_000, gatherMs: 20_000, batch: 256, atOnce: 16, paymentsMax: 16 };

/** Pays commission (money.md, Commission and referral bonuses). */
export interface Payer {
  /** Pays one referrer what is due. @returns whether the ledger has all of it */
  pay(referrerId: string): Promise<boolean>;
  /** A payment stands in the ledger. */
  credited(userId: string, credit: PromisedCredit): Promise<void>;
  /** Pays everyone with something due since that many ms. */
  payDue(gatherMs?: number): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createPayer(parts: {
  store: ReferralStore;
  books: Pick<Books, 'announce'>;
  dues: Dues;
  clock: Clock;
  leases: Pick<Leases, 'acquire'>;
  log: Pick<Log, 'warn'>;
  promises: () => Pick<PromisedCredits, 'settle'>;
  bounds?: PayerBounds;
}): Payer {
  const { store, books, dues, clock, leases, log, promises, bounds = PAYER_BOUNDS } = parts;
  const slots = createSlots(bounds.atOnce);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let offAdvance: (() => void) | undefined;

  /** Fixes the next payment on the referrer's document; one that is fixed comes again. @returns null when nothing is due */
  const fix = async (referrerId: string): Promise<PromisedCredit | null> => {
    const { sumMicro } = await store.tallyOf(referrerId);
    return store.members.change(referrerId, (member) => {
      if (member.erased) return { doc: null, result: null };
      if (member.commission.pending) {
        const credit = creditOf(referrerId, member.commission.pending);
        // What the ledger refused for good is parked; it marks the referrer again when an admin has it credited.
        return { doc: null, result: member.promised?.some(({ key }) => key === credit.key) ? credit : null };
      }
      const commission = nextPayment(member.commission, sumMicro);
      if (!commission?.pending) return { doc: null, result: null };
      const credit = creditOf(referrerId, commission.pending);
      const promised = [...(member.promised ?? []), credit];
      return { doc: { ...member, commission, promised, promisedAt: member.promisedAt ?? clock.now() }, result: credit };
    });
  };
  const pay = async (referrerId: string): Promise<boolean> => {
    const taken = await dues.take(referrerId);
    if (taken === null) return true;
    for (let payments = 0; payments < bounds.paymentsMax; payments += 1) {
      const credit = await fix(referrerId);
      if (!credit) {
        await dues.settled(referrerId, taken);
        return true;
      }
      if ((await promises().settle(referrerId, credit)) === null) break;
    }
    await dues.postponed(referrerId);
    return false;
  };
  /** One that fails stands in nobody's way; its mark stays. */
  const payOne = async (referrerId: string): Promise<boolean> => {
    try {
      return await slots.run(() => pay(referrerId));
    } catch (err) {
      log.warn({ err, referrerId }, 'commission could not be paid; it stays due');
      return false;
    }
  };
  const payDue = async (gatherMs = bounds.gatherMs): Promise<void> => {
    if (!(await leases.acquire('commission', LEASE_MS))) return;
    for (;;) {
      const due = await store.dueBefore(clock.now() - gatherMs, bounds.batch);
      const outcomes = await Promise.all(due.map(payOne));
      // Without one that came through, the next batch would be the same again.
      if (due.length < bounds.batch || !outcomes.includes(true)) return;
    }
  };
  const round = (gatherMs?: number): Promise<void> => {
    running = running
      .then(() => payDue(gatherMs))
      .catch((err: unknown) => log.warn({ err }, 'what is due could not be read; it stays due'));
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
      timer = setInterval(() => void round(), bounds.everyMs);
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
