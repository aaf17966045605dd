import { DAY_MS, dayKey, dayStartMs, dayStartOf, previousDayKey } from '@cord/contracts/rules/days';
import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork } from '@cord/kit/periodic';
import { AFTER_DAY_MS, DAILY } from '../pace.js';
import type { Inbox } from './inbox.js';
import type { Lookups } from './lookups.js';
import type { People, PersonDoc } from './people.js';

/** A user's commission total as referrals publishes it. */
interface CommissionTotal {
  seq: bigint;
  atMs: number;
  friends: number;
  /** Running total, micro-CORD, decimal string. */
  earningsMicro: string;
}

export type Commissions = ReturnType<typeof createCommissions>;

/** Notifies of a day's commission just after 00:00 UTC, with the ledger's amount. */
export function createCommissions(deps: {
  people: People;
  inbox: Inbox;
  lookups: Pick<Lookups, 'commissionOf'>;
  clock: Pick<Clock, 'now'>;
}) {
  const { people, inbox, lookups, clock } = deps;

  async function brought(userId: string, { seq, atMs, friends, earningsMicro }: CommissionTotal): Promise<void> {
    await people.docs.update(userId, (person) => {
      const { commission: before, commissionOn } = person;
      if (person.erased || (before && before.seq >= seq) || friends === 0) return null;
      const isMore = before?.earningsMicro !== earningsMicro;
      // A later version may have an earlier time: the clocks of two replicas differ.
      const known = before?.roseOn ?? '';
      const last = dayKey(atMs + AFTER_DAY_MS);
      const roseOn = isMore && last > known ? last : known;
      const commission = { ...before, seq, friends, earningsMicro, roseOn };
      const day = dayKey(atMs - AFTER_DAY_MS);
      // If the day before has no commission yet, it may be announced only now: referrals was down over midnight.
      const first = known < previousDayKey(day) ? previousDayKey(day) : day;
      const due = commissionOn ?? (isMore ? first : undefined);
      return { ...person, commission, ...(due ? { commissionOn: due } : {}) };
    });
  }

  function look(): Due<PersonDoc> | null {
    const nowMs = clock.now();
    if (nowMs < dayStartMs(nowMs) + AFTER_DAY_MS) return null;
    const over = previousDayKey(dayKey(nowMs));
    return {
      read: (limit, takes) => people.dueForCommission(over, limit, takes),
      each: (person) => notify(person, over),
    };
  }

  /** The notice is made first: a crash before the update repeats it, without a second notice. */
  async function notify({ _id, commission }: PersonDoc, over: string): Promise<void> {
    const fromMs = dayStartOf(over);
    const amountMicro = await lookups.commissionOf(_id, fromMs, fromMs + DAY_MS);
    if (amountMicro > 0n && commission) {
      const facts = { dayKey: over, amountMicro: amountMicro.toString(), friends: commission.friends };
      await inbox.notify(_id, { kind: 'commission', subject: over, atMs: fromMs + DAY_MS, facts });
    }
    await people.docs.update(_id, (person) => {
      const { commissionOn, ...rest } = person;
      if (commissionOn === undefined || commissionOn > over) return null;
      // A later commission is notified when its own day is over.
      const next = rest.commission && rest.commission.roseOn > over ? { commissionOn: rest.commission.roseOn } : {};
      return { ...rest, ...next };
    });
  }

  return {
    /** Stores a newer commission total. */
    brought,
    /** Notifies of finished days; after a jump of the clock, only of the last one. */
    work: {
      name: 'commission of a day',
      ...DAILY.work,
      run: (turn) => inBatches(turn, DAILY.batch, look),
    } satisfies PeriodicWork,
  };
}
