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

/** Who comes from Discord, and how. */
interface Arrival {
  profile: DiscordProfile;
  /** A code carried through sign-in, already normalised. */
  referralCode: string | null;
  userAgent: string;
}

interface SignedIn {
  token: string;
  user: UserDoc;
  isNewUser: boolean;
}

/** Turns a Discord account into a signed-in user: one user for each account, whatever happens at once. */
export type SignIn = (arrival: Arrival) => Promise<SignedIn>;

export function createSignIn(deps: {
  users: UserStore;
  facts: FactStore;
  sessions: SessionIssuer;
  onboarding: Onboarding;
  rights: Rights;
  /** What was erased before under this Discord id. */
  pastOf: Erasure['pastOf'];
  roles: Pick<ConfigRoles, 'begin' | 'of' | 'isWithheld' | 'noteSignIn'>;
  /** Whether a new user may join; a user with an account signs in all the same. */
  mayJoin: () => Promise<boolean>;
  /** Publishes what the change wrote to the outbox, at once. */
  relay: (userId: string) => void;
  rules: Pick<Rules, 'demand' | 'book'>;
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
    // First, so that the others have a newcomer when the onboarding calls them.
    relay(user._id);
    const settled = await onboarding.resume(user);
    if (settled.isAdmin !== (known?.isAdmin ?? false)) {
      // What cannot be published now is requested after the next heartbeat.
      await rights.publishRole(settled._id).catch((error: unknown) => {
        if (isWithheld) throw error;
      });
    }
    // The role is gone by now. Whom an admin gave it signs in again as everybody does; who is listed comes with a second factor.
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
      // Who joins while the ledger is away joins all the same: by the newest book that is known here.
      book: await rules.demand(nowMs).catch(() => rules.book(nowMs)),
    });
    // Copies first: an event that comes at once must find its place. Without a user they hold nothing of a person.
    await facts.open(user._id);
    const registered = { ...user, outbox: withCause([], [userRegisteredItem(user)]), dirtyAt: now() };
    if (await users.insert(registered)) return { user: await lookedAgain(registered), isNewUser: true };
    await facts.remove(user._id);
    const winner = await users.byDiscordId(profile.discordId);
    if (!winner) throw new Error('the user of a concurrent sign-in is gone');
    return welcomeBack(winner, arrival, sessionId);
  }

  /** Another sign-in of the same person may have registered and erased since the first look: its tombstone stands before its record goes. */
  async function lookedAgain(user: UserDoc): Promise<UserDoc> {
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
