import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import { dayKey } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, consumeEach, on } from '@cord/kit/nats/consume';
import type { SendToUser } from './live.js';
import type { FactPart, FactStore } from './store/facts.js';
import type { SupportStore } from './store/support.js';

const reads = READS.auth;

/** Consumes events of other services into the stored facts of the user record. */
export function consumeEvents(deps: {
  nats: Nats;
  facts: FactStore;
  support: SupportStore;
  /** Sends changed fields of the record to the user's streams; a duplicate event sends nothing. */
  send: SendToUser;
  now: () => number;
}): Consuming[] {
  const { nats, facts, support, send, now } = deps;

  const keep = (part: FactPart) => async (event: { userId: string; seq: string }) => {
    return facts.keep(event.userId, part, BigInt(event.seq), event as Record<string, unknown> & typeof event);
  };

  async function checkin(event: EventOf<typeof reads.checkinPerformed>): Promise<void> {
    const isNew = await keep('checkin')(event);
    const nowMs = now();
    if (!isNew || event.dayKey !== dayKey(nowMs)) return;
    send(event.userId, { daily_checkin_claimed: true, serverTime: new Date(nowMs).toISOString() });
  }

  async function task(event: EventOf<typeof reads.taskCompleted>): Promise<void> {
    if (await keep('task')(event)) send(event.userId, { tasks_completed: event.completed });
  }

  async function referral(event: EventOf<typeof reads.referralLinked>): Promise<void> {
    if (!(await keep('referral')(event))) return;
    const { userId, referralCode, totalReferrals, earningsMicro } = event;
    send(userId, { referralCode, totalReferrals, referralEarnings: microToNumber(BigInt(earningsMicro)) });
  }

  async function badge(event: EventOf<typeof reads.badgePurchased>): Promise<void> {
    const isNew = await keep('badge')(event);
    await support.prioritise(event.userId);
    if (isNew) send(event.userId, { hasbadgeofhonor: true });
  }

  /** A kind of claim that only a newer release knows is ignored. */
  async function claim({ claims, ...event }: EventOf<typeof reads.claimMade>): Promise<void> {
    for (const kind of ['compensation', 'cordclaim'] as const) {
      const made = claims[kind];
      if (!made) continue;
      const isNew = await facts.keep(event.userId, kind, BigInt(event.seq), { ...event, ...made, kind });
      if (isNew && kind === 'compensation') send(event.userId, { comp_claim: true });
    }
  }

  return consumeEach(nats, [
    on(reads.taskCompleted, task),
    on(reads.checkinPerformed, checkin),
    on(reads.referralLinked, referral),
    on(reads.badgePurchased, badge),
    on(reads.claimMade, claim),
  ]);
}
