import { generateKeyPairSync } from 'node:crypto';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { unavailable } from '@cord/kit/problem';
import { expect, test, vi } from 'vitest';
import type { UserDoc } from '../domain/user-doc.js';
import { SESSIONS_MAX } from '../store/sessions.js';
import { createSessionIssuer, newSessionId, SIGN_INS_A_DAY } from './session-issuer.js';
import { createSignIn } from './sign-in.js';

/** One sign-in of a new user. @param looks what each look at the tombstone finds */
async function signIn(...looks: boolean[]) {
  let stored: UserDoc | null = null;
  const events: string[] = [];
  const settled: UserDoc[] = [];
  const users = {
    byDiscordId: async () => null,
    insert: async (user: UserDoc) => {
      stored = user;
      events.push(...user.outbox.map((item) => JSON.stringify(item)));
      return true;
    },
    change: async (
      _id: string,
      _nowMs: number,
      step: (user: UserDoc) => { set: object; events?: (user: UserDoc) => object[] },
    ) => {
      if (!stored) return null;
      const { set, events: made } = step(stored);
      stored = { ...stored, ...set, seq: stored.seq + 1 };
      events.push(...(made?.(stored) ?? []).map((item) => JSON.stringify(item)));
      return stored;
    },
  };
  const signedIn = createSignIn({
    users: users as never,
    facts: { open: async () => undefined } as never,
    sessions: { issue: async () => 'token' } as never,
    onboarding: {
      resume: async (user: UserDoc) => {
        settled.push(user);
        return user;
      },
    } as never,
    rights: { publishRole: async () => undefined } as never,
    pastOf: async () => ({ wasErased: looks.shift() ?? false, mayReturn: true }),
    roles: {
      begin: async (wasErased: boolean) => ({ isAdmin: false, configDenied: wasErased }),
      of: ({ configDenied }: UserDoc) => ({ isAdmin: !configDenied, configDenied }),
      isWithheld: () => false,
      noteSignIn: async () => undefined,
    } as never,
    mayJoin: async () => true,
    relay: () => undefined,
    rules: { bookForPayment: async () => FIRST_BOOK, book: () => FIRST_BOOK },
    now: () => Date.UTC(2026, 10, 21, 12),
  });
  const profile = { discordId: '80351110224678912', username: 'nova', discriminator: null, avatar: null };
  const { user } = await signedIn({
    profile: { ...profile, discordCreatedAtMs: Date.UTC(2020, 5, 1) } as never,
    referralCode: null,
    userAgent: 'Firefox',
  });
  return { user, settled, events };
}

test('a user erased by another sign-in, between this one’s check and its insert, is returning', async () => {
  const { user, settled, events } = await signIn(false, true);
  expect(user).toMatchObject({ returning: true, onboarding: { welcomeState: 'refused' } });
  // Nor does the list give such a one the role.
  expect(user).toMatchObject({ isAdmin: false, configDenied: true });
  expect(settled[0]).toMatchObject({ returning: true });
  // The state that stands last in the stream is the right one.
  expect(events.at(-1)).toMatch(/\\?"returning\\?":true/);
});

test('a user who was never here gets the welcome', async () => {
  expect((await signIn(false, false)).user).toMatchObject({
    returning: false,
    onboarding: { welcomeState: 'pending' },
  });
});

/** The issuer of a user's sessions, newest first; NATS is away. */
function issuerOf(user: object | null, begun = 0) {
  const held: string[] = [];
  const log = { warn: vi.fn() };
  const endSessions = vi.fn(async () => {
    throw unavailable('rights-not-announced', 'The change is saved and takes effect in a moment.', 1);
  });
  const issuer = createSessionIssuer({
    users: { byId: async () => user } as never,
    sessions: {
      insert: async ({ _id }: { _id: string }) => void held.unshift(_id),
      remove: async (id: string) => void held.splice(held.indexOf(id), 1),
      ofUser: async () => held.map((_id) => ({ _id })),
      countSince: async () => begun,
      removeOldest: async () => undefined,
    } as never,
    keys: { current: async () => ({ kid: 'k', privateKey: generateKeyPairSync('ed25519').privateKey }) } as never,
    rights: { endSessions },
    log,
    now: () => Date.UTC(2026, 10, 21, 12),
  });
  return { held, issuer, endSessions, log };
}

test('a session that begins while its user is erased is removed, and no token is issued', async () => {
  const { held, issuer } = issuerOf(null);
  await expect(issuer.issue('a'.repeat(32), newSessionId(), 'Firefox')).rejects.toThrow('erased while signing in');
  expect(held).toEqual([]);
});

test('at the session limit, a sign-in works while NATS is away: the oldest session ends, announced later', async () => {
  const { held, issuer, endSessions, log } = issuerOf({});
  held.push(...Array.from({ length: SESSIONS_MAX }, (_, n) => `session ${n}`));
  expect(await issuer.issue('a'.repeat(32), newSessionId(), 'Firefox')).toMatch(/^ey/);
  expect(endSessions.mock.calls).toEqual([[[`session ${SESSIONS_MAX - 1}`]]]);
  expect(log.warn).toHaveBeenCalledOnce();
});

test('after 200 sign-ins in a day, the next one is rejected with sign_ins_limited', async () => {
  const often = issuerOf({}, SIGN_INS_A_DAY);
  const failed = often.issuer.issue('a'.repeat(32), newSessionId(), 'Firefox');
  await expect(failed).rejects.toMatchObject({ key: 'sign_ins_limited' });
  expect(often.held).toEqual([]);
  const last = issuerOf({}, SIGN_INS_A_DAY - 1);
  expect(await last.issuer.issue('a'.repeat(32), newSessionId(), 'Firefox')).toMatch(/^ey/);
});
