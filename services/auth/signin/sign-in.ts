import { randomBytes } from 'node:crypto';
import { withCause } from '@cord/kit/cause';
import { deviceOf } from '@cord/kit/device';
import type { Rules } from '@cord/kit/rules';
import type { ConfigRoles } from '../config-roles.js';
import type { DiscordProfile } from '../domain/discord-profile.js';
import { LoginFailure } from '../domain/login-failure.js';
import type { RoleState } from '../domain/role.js';
import { newUser, signedInAgain } from '../domain/user.js';
import type { UserDoc } from '../domain/user-doc.js';
import { sessionOpenedItems, userRegisteredItem, userUpdatedItem } from '../domain/user-events.js';
import type { Erasure, Past } from '../erasure.js';
import type { Rights } from '../rights.js';
import type { FactStore } from '../store/facts.js';
import type { UserChange, UserStore } from '../store/users.js';
import type { Onboarding } from './onboarding.js';
import { newSessionId, type SessionIssuer } from './session-issuer.js';

/** An arrival from Discord. */
interface Arrival {
  profile: DiscordProfile;
  /** The referral code of the sign-in, already normalised. */
  referralCode: string | null;
  userAgent: string;
}

interface SignedIn {
  token: string;
  user: UserDoc;
  isNewUser: boolean;
}

/** Signs in a Discord account: one user per account, even with concurrent sign-ins. */
export type SignIn = (arrival: Arrival) => Promise<SignedIn>;

export function createSignIn(deps: {
  users: UserStore;
  facts: FactStore;
  sessions: SessionIssuer;
  onboarding: Onboarding;
  rights: Rights;
  /** Returns the former erasures under this Discord id. */
  pastOf: Erasure['pastOf'];
  roles: Pick<ConfigRoles, 'begin' | 'of' | 'isWithheld' | 'noteSignIn'>;
  /** Returns whether a new user may join; a user with an account can always sign in. */
  mayJoin: () => Promise<boolean>;
  /** Publishes the outbox of the change at once. */
  relay: (userId: string) => void;
  rules: Pick<Rules, 'bookForPayment' | 'book'>;
  now: () => number;
}): SignIn {
  const { users, facts, sessions, onboarding, rights, pastOf, roles, mayJoin, relay, rules, now } = deps;

  return async (arrival) => {
    const { profile, userAgent } = arrival;
    const sessionId = newSessionId();
    const known = await users.byDiscordId(profile.discordId);
    const { discordId, secondFactor } = profile;
    const past = await pastOf(discordId);
    const before = known ?? (await roles.begin(past.wasErased));
    const isWithheld = roles.isWithheld({ ...before, discordId, secondFactor });
    if (isWithheld && !known) throw new LoginFailure('second_factor');
    const { user, isNewUser } = known
      ? await welcomeBack(known, arrival, sessionId)
      : await register(arrival, sessionId, past, before);
    // Published first, so that other services have the newcomer when the onboarding calls them.
    relay(user._id);
    const settled = await onboarding.resume(user);
    if (settled.isAdmin !== (known?.isAdmin ?? false)) {
      // A failed publish is retried after the next heartbeat.
      await rights.publishRole(settled._id).catch((error: unknown) => {
        if (isWithheld) throw error;
      });
    }
    // The role is removed by now. If an admin granted it, the next sign-in succeeds as a user; a listed user needs a second factor.
    if (isWithheld) throw new LoginFailure('second_factor');
    const token = await sessions.issue(settled._id, sessionId, userAgent);
    return { token, user: settled, isNewUser };
  };

  async function register(arrival: Arrival, sessionId: string, { wasErased, mayReturn }: Past, role: RoleState) {
    const { profile, referralCode, userAgent } = arrival;
    if (!(await mayJoin())) throw new LoginFailure('signups_off');
    if (!mayReturn) throw new LoginFailure('returns_limited');
    const userId = randomBytes(16).toString('hex');
    const { discordId, secondFactor } = profile;
    const newcomer = { _id: userId, discordId, secondFactor, ...role };
    await roles.noteSignIn(newcomer);
    const nowMs = now();
    const user = newUser({
      userId,
      profile,
      referralCode,
      returning: wasErased,
      role: roles.of(newcomer),
      sessionId,
      device: deviceOf(userAgent),
      nowMs,
      // A person can join while the ledger is down: with the newest book known here.
      book: await rules.bookForPayment(nowMs).catch(() => rules.book(nowMs)),
    });
    // Facts first: an early event must find them. Without a user they hold no personal data.
    await facts.open(user._id);
    const registered = { ...user, outbox: withCause([], [userRegisteredItem(user)]), dirtyAt: now() };
    if (await users.insert(registered)) return { user: await recheckErased(registered), isNewUser: true };
    await facts.remove(user._id);
    const winner = await users.byDiscordId(profile.discordId);
    if (!winner) throw new Error('the user of a concurrent sign-in no longer exists');
    return welcomeBack(winner, arrival, sessionId);
  }

  /** Checks again after the insert: a concurrent sign-in of the person may have registered and erased. Its tombstone precedes the deletion of its record. */
  async function recheckErased(user: UserDoc): Promise<UserDoc> {
    if (user.returning || !(await pastOf(user.discordId)).wasErased) return user;
    const role = roles.of({ ...user, ...(await roles.begin(true)) });
    const step = ({ onboarding }: UserDoc): UserChange => ({
      set: { ...role, returning: true, onboarding: { ...onboarding, welcomeState: 'refused' } },
      events: (changed) => [userRegisteredItem(changed)],
    });
    return (await users.change(user._id, now(), step)) ?? user;
  }

  async function welcomeBack(known: UserDoc, { profile, userAgent }: Arrival, sessionId: string) {
    const nowMs = now();
    const { secondFactor } = profile;
    await roles.noteSignIn({ ...known, secondFactor });
    const device = deviceOf(userAgent);
    const step = (latest: UserDoc): UserChange => ({
      set: signedInAgain(latest, profile, {
        nowMs,
        role: roles.of({ ...latest, secondFactor }),
        sessionId,
        device,
      }),
      events: (changed) => [
        userUpdatedItem(changed),
        ...(changed.opened === latest.opened ? [] : sessionOpenedItems(changed)),
      ],
    });
    const user = await users.change(known._id, nowMs, step);
    if (!user) throw new Error('the user was erased while signing in');
    return { user, isNewUser: false };
  }
}
