import type { ReferralPlace } from '@cord/contracts/rpc/referral';
import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Outbox } from '@cord/kit/outbox';
import type { Turn } from '@cord/kit/periodic';
import { notFound, Problem } from '@cord/kit/problem';
import { dueTimes } from '@cord/kit/store/due';
import { withOwnCode } from './codes.js';
import { type Links, type NewcomersBonus, standing } from './links.js';
import { type Profile, placeOf } from './member.js';
import type { ReferralStore } from './store.js';

const WAITING_BATCH = 256;
/** Backoff of a waiting code's retries, doubled each time, ms. */
const AGAIN_MS_MIN = 30_000;
const AGAIN_MS_MAX = 600_000;

/** The result of an arrival: the bonus, and the newcomer's place with a referral code. */
export interface Arrival extends NewcomersBonus {
  refused: boolean;
  place: ReferralPlace;
}

/** Handles newcomers: their new referral code, and the code carried through sign-in. */
export type Arrivals = ReturnType<typeof createArrivals>;

export function createArrivals(parts: {
  store: ReferralStore;
  links: Links;
  clock: Clock;
  log: Log;
  outbox: Pick<Outbox, 'relayNow'>;
}) {
  const { store, links, clock, log, outbox } = parts;
  const settle = (userId: string, refusal: Problem | null): Promise<void> => {
    const outcome = refusal
      ? { status: 'refused' as const, reason: refusal.message, why: refusal.type }
      : { status: 'credited' as const, reason: null, why: null };
    return store.members.update(userId, ({ codeAt: _at, codeTries: _tries, ...member }) =>
      member.pendingCode ? { ...member, pendingCode: { ...member.pendingCode, ...outcome } } : null,
    );
  };
  /** Moves a waiting code behind the others, so that an unprocessable code blocks no others. */
  const postpone = (userId: string): Promise<void> =>
    store.members.update(userId, (member) => {
      if (member.codeAt === undefined) return null;
      const { codeTries = 0 } = member;
      const codeAt = clock.now() + Math.min(AGAIN_MS_MIN * 2 ** Math.min(codeTries, 16), AGAIN_MS_MAX);
      return { ...member, codeAt, codeTries: codeTries + 1 };
    });
  /**
   * Processes a code. Registration and sign-in may process the same code concurrently: the second one finds the link made.
   * @throws Problem: a final refusal (status below 500), or "try again"
   */
  const process = async (userId: string, code: string): Promise<NewcomersBonus> => {
    try {
      const { bonusMicro, pending } = await links.process(userId, code);
      await settle(userId, null);
      return { bonusMicro, pending };
    } catch (err) {
      const member = await store.members.get(userId);
      if (member?.referredBy && member.referredBy.userId === (await store.memberByCode(code))?._id) {
        await settle(userId, null);
        return standing(member);
      }
      if (isFinal(err)) await settle(userId, err);
      throw err;
    }
  };
  const processWaiting = async (userId: string): Promise<void> => {
    const member = await store.members.get(userId);
    if (member?.pendingCode?.status !== 'pending' || !member.profile) return;
    await process(userId, member.pendingCode.code).catch((err: unknown) => {
      const type = err instanceof Problem ? err.type : 'fault';
      log.info({ userId, type }, 'a code from sign-in was not processed');
    });
  };
  const remember = (userId: string, code: string): Promise<void> =>
    store.members.update(userId, (member) =>
      member.pendingCode || member.referredBy || member.erased
        ? null
        : { ...member, pendingCode: { code, status: 'pending', reason: null, why: null }, codeAt: clock.now() },
    );

  /** Stores the profile, creates a referral code, and stores the code to process. */
  const storeArrival = async (userId: string, profile: Profile, code: string | null): Promise<void> => {
    await store.members.update(userId, (member) =>
      // A stored profile is at least as new: later names arrive by `user.updated`, and this event may be redelivered after it.
      member.erased || member.profile ? null : { ...member, profile },
    );
    await withOwnCode(store, userId, clock.now());
    void outbox.relayNow(userId);
    if (code) await remember(userId, code);
  };
  const processNow = async (userId: string, code: string): Promise<NewcomersBonus> => {
    await remember(userId, code);
    const member = await store.members.get(userId);
    if (member?.pendingCode?.status === 'refused') throw refusedBefore(member.pendingCode.reason);
    return member?.referredBy ? standing(member) : process(userId, code);
  };

  return {
    /**
     * Processes the code of a registered user, or returns the earlier result.
     * @throws Problem of the refusal, or 503 while the code waits
     */
    processNow,
    /** Handles a registration; `code` is the one carried through sign-in. */
    async take(userId: string, profile: Profile, code: string | null) {
      await storeArrival(userId, profile, code);
      await processWaiting(userId);
    },
    /** Like `take`, during the first sign-in: the result is returned in the first response. */
    async welcome(userId: string, profile: Profile, code: string | null): Promise<Arrival> {
      await storeArrival(userId, profile, code);
      const bonus = code ? await processNow(userId, code).catch(refusalOf) : NOTHING;
      const [member, tally] = [await store.members.get(userId), await store.sums.tally(userId)];
      if (!member || member.erased) throw notFound('user-not-found', TEXTS.userNotFound);
      const place = placeOf(member, tally);
      if (bonus === 'refused') return { ...NOTHING, refused: true, place };
      return { ...(bonus ?? { bonusMicro: 0n, pending: true }), refused: false, place };
    },
    /** Processes the waiting codes that are due. */
    async sweep({ lease }: Pick<Turn, 'lease'>) {
      for (const userId of await store.waitingCodes(dueTimes(clock.now(), AGAIN_MS_MAX), WAITING_BATCH)) {
        if (!(await lease())) return;
        try {
          await processWaiting(userId);
          await postpone(userId);
        } catch (err) {
          log.warn({ err, userId }, 'a code from sign-in could not be processed; retrying later');
        }
      }
    },
  };
}

/** The result for no code, or a code without a bonus. */
const NOTHING: NewcomersBonus = { bonusMicro: 0n, pending: false };

/** Returns 'refused' for a final refusal; null for "not now", which waits for `sweep`. @throws any other error */
function refusalOf(err: unknown): 'refused' | null {
  if (!(err instanceof Problem)) throw err;
  return isFinal(err) ? 'refused' : null;
}

/** Whether a refusal is final: "not now" and "too often" never end a code. */
function isFinal(err: unknown): err is Problem {
  return err instanceof Problem && err.status < 500 && err.status !== 429;
}

function refusedBefore(reason: string | null): Problem {
  return new Problem(422, 'referral-refused', reason ?? 'This referral code was refused');
}
