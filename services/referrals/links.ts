import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { friendAccountRpc } from '@cord/contracts/rpc/ledger';
import { REFERRER_BONUS_MICRO, referredBonusMicro } from '@cord/contracts/rules/bonuses';
import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';
import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import type { CreditResult } from '@cord/kit/ledger-client';
import type { Nats } from '@cord/kit/nats';
import type { Outbox } from '@cord/kit/outbox';
import { isPending, type OutboxCredit, withItem } from '@cord/kit/outbox/items';
import { badInput, conflict, notFound, refused, unavailable } from '@cord/kit/problem';
import type { RequestRegistration } from '@cord/kit/registration';
import type { Step } from '@cord/kit/versioned';
import type { Books } from './books.js';
import { type FriendAccount, newFriend } from './domain/friend.js';
import { friendAccountOf } from './ledger.js';
import { type Member, withJoined } from './member.js';
import { createPlaces } from './places.js';
import type { ReferralStore } from './store.js';

/** The newcomer's bonus for a code; pending until the ledger credits it. */
export interface NewcomersBonus {
  bonusMicro: bigint;
  pending: boolean;
}

/** An existing link; `credit` is null unless the ledger has just responded. */
interface LinkMade extends NewcomersBonus {
  referrerId: string;
  referrerName: string;
  /** Bonus that the referrer can get for the user, micro-CORD: 0 after an erasure. */
  referrerBonusMicro: bigint;
  credit: CreditResult | null;
}

export type Links = ReturnType<typeof createLinks>;

interface Parts {
  store: ReferralStore;
  books: Books;
  nats: Nats;
  clock: Clock;
  outbox: Pick<Outbox, 'relayNow' | 'settle'>;
  /** Requests the registration from auth when `user.registered` has not arrived yet. */
  requestRegistration: RequestRegistration;
  bounds?: LinkBounds;
}

/** Limits of the attempts to make a link. */
export type LinkBounds = typeof LINK_BOUNDS;

export const LINK_BOUNDS = {
  /** Maximum number of attempts while concurrent links would close a cycle with this one. */
  triesMax: 10,
  /** Maximum random wait before the next attempt, ms; doubles each time, up to `waitMsMax`. */
  waitMs: 40,
  waitMsMax: 1_000,
  /** Maximum length of a chain of referrers that is searched for a cycle. */
  chainMax: 10_000,
};

/** Maximum age of a declaration, ms; an older one belongs to an aborted request and is withdrawn. */
const INTENT_MS_MAX = 60_000;
/** The declaration in a user's document while a code is being processed. */
type Declaration = NonNullable<Member['linking']>;
const stands = ({ linking }: Member, { to, token }: Declaration) => linking?.to === to && linking.token === token;
const alreadyReferred = () => conflict('already-referred', 'You have already used a referral code');
const cycle = () => refused('referral-cycle', 'This friend was referred by you, directly or through others');

export function createLinks({ store, books, nats, clock, outbox, requestRegistration, bounds = LINK_BOUNDS }: Parts) {
  const places = createPlaces(store, clock);
  const referrerOf = async (userId: string, codeText: string): Promise<Member> => {
    const code = normaliseCode(codeText);
    if (code === '') throw badInput('referralCode', TEXTS.referralInput);
    if (!isReferralCode(code)) throw badInput('referralCode', 'must be 6 or 8 of A-Z and 0-9');
    const referrer = await store.memberByCode(code);
    if (!referrer || referrer.erased) throw notFound('referral-code-unknown', 'This referral code does not exist');
    if (referrer._id === userId) throw refused('own-referral-code', TEXTS.ownCode);
    return referrer;
  };
  /** Stores a declaration that the user is about to be linked: later searches for cycles find it. */
  const declare = (userId: string, to: string): Promise<Declaration> =>
    store.members.change(userId, (member) => {
      if (member.erased) throw notFound('user-not-found', TEXTS.userNotFound);
      if (member.referredBy) throw alreadyReferred();
      const linking = { ...member.linking, to, atMs: clock.now(), token: member.seq + 1n };
      return { doc: { ...member, linking }, result: linking };
    });
  /** Withdraws a declaration. @returns whether it still existed, so that its request cannot commit any more */
  const withdraw = (userId: string, declaration: Declaration): Promise<boolean> =>
    store.members.change(userId, (member) => {
      const there = stands(member, declaration);
      return { doc: there ? { ...member, linking: null } : null, result: there };
    });

  /** Returns the referrer of a user, or the declared one. A stale declaration is withdrawn first. */
  const above = async (userId: string): Promise<{ id: string; declared: boolean } | null> => {
    const member = await store.members.get(userId);
    if (member?.referredBy) return { id: member.referredBy.userId, declared: false };
    if (!member?.linking) return null;
    if (clock.now() - member.linking.atMs <= INTENT_MS_MAX) return { id: member.linking.to, declared: true };
    // If it no longer existed, it may have become the link meanwhile.
    return (await withdraw(userId, member.linking)) ? null : above(userId);
  };
  /** Searches upward from the referrer for the user. @returns how a cycle would be closed, or null */
  const findCycle = async (userId: string, referrerId: string): Promise<'linked' | 'declared' | null> => {
    let declared = false;
    // Declarations of others may form a cycle until they are withdrawn: the user is not in it.
    const seen = new Set([referrerId]);
    for (let at = referrerId; seen.size <= bounds.chainMax; seen.add(at)) {
      const next = await above(at);
      if (!next) return null;
      declared ||= next.declared;
      if (next.id === userId) return declared ? 'declared' : 'linked';
      if (seen.has(next.id)) return null;
      at = next.id;
    }
    throw unavailable('referral-chain-too-long', TEXTS.referralFailed, 60);
  };
  /**
   * Returns the user with the registration data, i.e. name, welcome credit and `returning`: both bonuses depend on
   * it.
   */
  const known = async (userId: string): Promise<Member> => {
    for (const isRequested of [false, true]) {
      const member = await store.members.get(userId);
      if (member?.erased) throw notFound('user-not-found', TEXTS.userNotFound);
      if (member?.profile) return member;
      if (!isRequested) await requestRegistration(userId);
    }
    throw unavailable('user-not-known-yet', TEXTS.referralFailed, 2);
  };
  /**
   * Writes the link, with the newcomer's bonus and the events of both sides in the outbox. It requires the very
   * declaration of the search: others could not see a withdrawn and renewed one all the time.
   * @returns 'gone' when it does not exist any more
   */
  const commit = (userId: string, declaration: Declaration, baseline: FriendAccount) => {
    const step = (member: Member): Step<Member, OutboxCredit | null | 'gone'> => {
      if (member.referredBy) throw alreadyReferred();
      if (!stands(member, declaration)) return { doc: null, result: 'gone' };
      const credit = bonusFor(member);
      const nowMs = clock.now();
      const doc: Member = {
        ...member,
        linking: null,
        referredBy: { userId: declaration.to, atMs: nowMs, unanswered: true },
        friend: newFriend(baseline, nowMs, member.profile?.returning === true),
      };
      return { doc: withJoined(credit ? withItem(doc, credit, nowMs) : doc, nowMs), result: credit };
    };
    return places.change(userId, step);
  };
  /**
   * Declares, searches, commits: of links that would close a cycle together, the last to declare sees all others. On
   * a conflict, the declaration is withdrawn and the attempt repeated later, when the other one is done.
   */
  const link = async (userId: string, referrerId: string, baseline: FriendAccount): Promise<OutboxCredit | null> => {
    for (let tries = 1; ; tries += 1) {
      const declaration = await declare(userId, referrerId);
      const found = await findCycle(userId, referrerId).catch(async (err: unknown) => {
        await withdraw(userId, declaration);
        throw err;
      });
      const credit = found === null ? await commit(userId, declaration, baseline) : 'gone';
      if (credit !== 'gone') return credit;
      if (found !== null) await withdraw(userId, declaration);
      if (found === 'linked') throw cycle();
      if (tries >= bounds.triesMax) throw unavailable('referral-busy', TEXTS.referralFailed, 1);
      await sleep(randomInt(Math.min(bounds.waitMs * 2 ** (tries - 1), bounds.waitMsMax) + 1));
    }
  };

  /** Marks the link as answered: from now on codes are refused. */
  const markAnswered = (userId: string): Promise<void> =>
    store.members.update(userId, (member) => {
      if (!member.referredBy?.unanswered) return null;
      const { unanswered: _mark, ...referredBy } = member.referredBy;
      return { ...member, referredBy };
    });

  return {
    /**
     * Makes the owner of a code the user's referrer, for life. A retry after a failure returns the existing link.
     * @throws Problem 400 bad format, 404 unknown code, 409 referrer set already, 422 own code or cycle, 503 try again
     */
    async process(userId: string, codeText: string): Promise<LinkMade> {
      const referrer = await referrerOf(userId, codeText);
      const before = await known(userId);
      const made = {
        referrerId: referrer._id,
        referrerName: referrer.profile?.username ?? '',
        referrerBonusMicro: before.profile?.returning ? 0n : REFERRER_BONUS_MICRO,
      };
      if (before.referredBy) {
        const { userId: to, bucket, unanswered } = before.referredBy;
        if (to !== referrer._id) throw alreadyReferred();
        // Only for a link whose request was not completed.
        if (!unanswered && bucket !== undefined) throw alreadyReferred();
        await books.enter(userId);
        await markAnswered(userId);
        void outbox.relayNow(userId);
        return { ...made, ...standing(before), credit: null };
      }
      // Read before the link: the earnings so far are the baseline.
      const baseline = await accountOf(nats, userId);
      const credit = await link(userId, referrer._id, baseline);
      void outbox.relayNow(userId);
      await books.enter(userId);
      const credited = credit ? await outbox.settle(userId, credit) : null;
      await markAnswered(userId);
      return {
        ...made,
        bonusMicro: credit?.amountMicro ?? 0n,
        pending: credit !== null && credited === null,
        credit: credited,
      };
    },
  };
}

/** Returns the bonus of an existing link: pending until the ledger responds, then credited. */
export function standing(member: Member): NewcomersBonus {
  const due = bonusFor(member);
  return {
    bonusMicro: due?.amountMicro ?? 0n,
    pending: due !== null && isPending(member, due.key),
  };
}

/** Returns the newcomer's bonus: a tenth of the own welcome credit, once; none after an erasure. */
export function bonusFor(member: Member): OutboxCredit | null {
  const amountMicro = referredBonusMicro(member.profile?.welcomeMicro ?? 0n);
  if (amountMicro <= 0n || member.profile?.returning) return null;
  return {
    kind: 'credit',
    key: `refbonus:${member._id}`,
    userId: member._id,
    source: 'refbonus',
    amountMicro,
    reason: 'Joined with a friend’s code',
  };
}

/**
 * Returns the ledger's account of a registered user. It may open a moment later: that means "not yet", never a refusal.
 * @throws Problem 503 when the ledger does not respond, and while no account is open
 */
export async function accountOf(nats: Nats, userId: string): Promise<FriendAccount> {
  let account: Awaited<ReturnType<typeof request>>;
  const request = () => nats.request(friendAccountRpc, { userId });
  try {
    account = await request();
  } catch (err) {
    // A missing response of the ledger is no verdict on the code.
    throw unavailable('ledger-away', TEXTS.referralFailed, 2, err);
  }
  if (!account) throw unavailable('ledger-unknown-user', TEXTS.referralFailed, 2);
  return friendAccountOf(account);
}
