import { commissionMicro } from '@cord/contracts/rules/bonuses';
import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import { createSlots } from '@cord/kit/slots';
import type { Books } from './books.js';
import { confirmed } from './domain/commission.js';
import type { Dues } from './dues.js';
import type { CommissionLedger } from './ledger.js';
import type { ReferralStore } from './store.js';

const LEASE_MS = 30_000;

/** How much is done at a time, and how often. */
export interface PayerBounds {
  /** How often referrers with something due are looked for, ms. */
  everyMs: number;
  /** A referrer's total is told at most once in this time, ms. */
  quietMs: number;
  /** Referrers read at a time. */
  batch: number;
  /** Referrers told of at a time: each waits for the store and the ledger several times. */
  atOnce: number;
  /** Times that one total is told in one round: more than one only where it rises by more than one step takes. */
  stepsMax: number;
}

export const PAYER_BOUNDS: PayerBounds = { everyMs: 5_000, quietMs: 60_000, batch: 256, atOnce: 16, stepsMax: 16 };

/** Tells the ledger the totals of commission (money.md, Commission accrues). */
export interface Payer {
  /** Tells what is due of one referrer. @returns whether the ledger has all of it */
  pay(referrerId: string): Promise<boolean>;
  /** Begins to tell of one referrer, unless that is under way. */
  soon(referrerId: string): void;
  /** Tells of everyone whose time comes by then, ms; now, if nothing is given. */
  payDue(byMs?: number): Promise<void>;
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
  ledger: CommissionLedger;
  bounds?: PayerBounds;
}): Payer {
  const { store, books, dues, clock, leases, log, ledger, bounds = PAYER_BOUNDS } = parts;
  const slots = createSlots(bounds.atOnce);
  const begun = new Map<string, Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let offAdvance: (() => void) | undefined;

  /** Tells one total until the ledger has it. @returns whether it has; of who is erased nothing is owed */
  const tell = async (referrerId: string, totalMicro: bigint): Promise<boolean> => {
    for (let steps = 0; steps < bounds.stepsMax; steps += 1) {
      const ledgerMicro = await ledger.tell(referrerId, totalMicro);
      if (ledgerMicro === 'erased') return true;
      // What was confirmed and that it is announced stand in one write: a crash in between is told once more.
      await books.announce(referrerId, (member) => {
        const commission = confirmed(member.commission, ledgerMicro);
        return commission === member.commission ? null : { ...member, commission };
      });
      if (ledgerMicro >= totalMicro) return true;
    }
    return false;
  };
  const pay = async (referrerId: string): Promise<boolean> => {
    const taken = await dues.take(referrerId);
    if (taken === null) return true;
    const totalMicro = commissionMicro((await store.tallyOf(referrerId)).sumMicro);
    // Nothing that is new to the ledger: it has confirmed as much before.
    const told = totalMicro > taken.paidMicro;
    const whole = !told || (await tell(referrerId, totalMicro));
    await (whole ? dues.settled(referrerId, taken.token, told) : dues.postponed(referrerId));
    return whole;
  };
  /** One that fails stands in nobody's way; its mark stays. */
  const payOne = async (referrerId: string): Promise<boolean> => {
    try {
      return await slots.run(() => pay(referrerId));
    } catch (err) {
      log.warn({ err, referrerId }, 'commission could not be told; it stays due');
    }
    await dues
      .postponed(referrerId)
      .catch((err: unknown) => log.warn({ err, referrerId }, 'commission that stays due keeps its place'));
    return false;
  };
  const payDue = async (byMs = clock.now()): Promise<void> => {
    if (!(await leases.acquire('commission', LEASE_MS))) return;
    for (;;) {
      const due = await store.dueBy(byMs, bounds.batch);
      const outcomes = await Promise.all(due.map(payOne));
      // Without one that came through, the next batch would be the same again.
      if (due.length < bounds.batch || !outcomes.includes(true)) return;
    }
  };
  const round = (aheadMs: number): Promise<void> => {
    running = running
      .then(() => payDue(clock.now() + aheadMs))
      .catch((err: unknown) => log.warn({ err }, 'what is due could not be read; it stays due'));
    return running;
  };

  return {
    pay,
    payDue,
    soon(referrerId) {
      if (begun.has(referrerId)) return;
      const paying = payOne(referrerId).finally(() => begun.delete(referrerId));
      begun.set(referrerId, paying);
    },
    start() {
      timer = setInterval(() => void round(0), bounds.everyMs);
      // Once the clock was moved, nobody waits for a minute to pass.
      offAdvance = clock.onAdvance(() => round(bounds.quietMs));
    },
    async stop() {
      clearInterval(timer);
      offAdvance?.();
      await running;
      await Promise.all(begun.values());
    },
  };
}
