import { subjectOf } from '@cord/contracts/events/envelope';
import { userRegistered } from '@cord/contracts/events/user';
import { pastRpc } from '@cord/contracts/rpc/past';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import { DAY_MS } from '@cord/contracts/rules/days';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { data } from './data.js';
import { createSessionStore, type SessionStore } from './store/sessions.js';
import { eventually, meOf, sessionsOf, startAuth } from './test/auth.js';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);
const ENDED_MAX = 3;

describe('the spans in which a user was signed in', () => {
  const backend = forAllTests(() => startTestStore({ data }));
  let sessions: SessionStore;
  beforeAll(() => {
    sessions = createSessionStore(backend.store, ENDED_MAX);
  });

  async function begin(userId: string, createdAtMs: number): Promise<string> {
    const _id = randomId();
    const expiresAtMs = createdAtMs + SESSION_MS;
    await sessions.insert({ _id, userId, createdAtMs, expiresAtMs, lastSeenAtMs: createdAtMs, device: 'Firefox' });
    await sessions.removeOldest(userId, createdAtMs);
    return _id;
  }

  it('merge overlapping sessions, and the end of a session never moves', async () => {
    const userId = randomId();
    const phone = await begin(userId, NOON_MS);
    const desk = await begin(userId, NOON_MS + HOUR_MS);
    await sessions.end([phone], NOON_MS + 2 * HOUR_MS);
    await sessions.end([desk, phone], NOON_MS + 3 * HOUR_MS);
    await begin(userId, NOON_MS + 5 * HOUR_MS);
    expect(await sessions.signedIn(userId, NOON_MS + 6 * HOUR_MS)).toEqual([
      { fromMs: NOON_MS, toMs: NOON_MS + 3 * HOUR_MS },
      { fromMs: NOON_MS + 5 * HOUR_MS, toMs: NOON_MS + 5 * HOUR_MS + SESSION_MS },
    ]);
  });

  it('are known back to the oldest kept ended session', async () => {
    const userId = randomId();
    const open = await begin(userId, NOON_MS - HOUR_MS);
    for (let n = 0; n < 4; n += 1) {
      const id = await begin(userId, NOON_MS + n * HOUR_MS);
      await sessions.end([id], NOON_MS + n * HOUR_MS + 1);
    }
    const nowMs = NOON_MS + 4 * HOUR_MS;
    await sessions.removeOldest(userId, nowMs);
    expect((await sessions.ofUser(userId, nowMs)).map(({ _id }) => _id)).toEqual([open]);
    expect(await sessions.ofUser(userId, 0)).toHaveLength(ENDED_MAX + 1);
    await sessions.end([open], NOON_MS);
    await sessions.removeOldest(userId, nowMs);
    expect(await sessions.signedIn(userId, nowMs)).toEqual([
      { fromMs: NOON_MS + HOUR_MS, toMs: NOON_MS + HOUR_MS + SESSION_MS },
    ]);
  });

  it('stay known for 30 days after a session ended', async () => {
    const userId = randomId();
    await sessions.end([await begin(userId, NOON_MS)], NOON_MS + HOUR_MS);
    await sessions.removeExpired(NOON_MS + 30 * DAY_MS);
    expect(await sessions.signedIn(userId, NOON_MS + 30 * DAY_MS)).toHaveLength(1);
    await sessions.removeExpired(NOON_MS + 30 * DAY_MS + HOUR_MS);
    expect(await sessions.signedIn(userId, NOON_MS + 31 * DAY_MS)).toEqual([]);
  });

  it('end for every open session when a leaked key is revoked; ended ones do not change', async () => {
    const userId = randomId();
    const ended = await begin(userId, NOON_MS);
    await sessions.end([ended], NOON_MS + HOUR_MS);
    await begin(userId, NOON_MS + 2 * HOUR_MS);
    await sessions.endBegunBefore(NOON_MS + 3 * HOUR_MS);
    expect(await sessions.signedIn(userId, NOON_MS + 3 * HOUR_MS)).toEqual([
      { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS },
      { fromMs: NOON_MS + 2 * HOUR_MS, toMs: NOON_MS + 3 * HOUR_MS },
    ]);
  });
});

describe('the request user.past', () => {
  it('returns the user’s sign-ins with their ends, and nothing for an unknown or erased user', async () => {
    const auth = await startAuth();
    try {
      const browser = auth.browser();
      const account = await auth.discord.account({ username: 'past' });
      await browser.signIn({ account });
      const { id } = (await meOf(browser)).user;
      const past = () => auth.backend.nats.request(pastRpc, { userId: id });
      const [open] = (await past()).signIns;
      expect(open?.toMs).toBe((open?.fromMs ?? 0) + SESSION_MS);
      await auth.clock.advance(HOUR_MS);
      await browser.send('POST', '/api/auth/logout');
      const [ended] = (await past()).signIns;
      expect(ended?.fromMs).toBe(open?.fromMs);
      expect(ended?.toMs).toBeLessThan((ended?.fromMs ?? 0) + 2 * HOUR_MS);
      expect((await browser.get('/api/auth/me')).status).toBe(401);
      const again = auth.browser();
      await again.signIn({ account });
      expect(await sessionsOf(again)).toHaveLength(1);
      expect(await auth.backend.nats.request(pastRpc, { userId: randomId() })).toEqual({ signIns: [], network: [] });
      expect((await again.send('DELETE', `/api/users/${id}`, { confirm: 'past' })).status).toBeLessThan(300);
      await eventually(async () => (await past()).signIns.length === 0);
    } finally {
      await auth.stop();
    }
  });
});

describe('the request user.registration', () => {
  it('returns the registration event, and null for an unknown or erased user', async () => {
    const auth = await startAuth();
    try {
      const browser = auth.browser();
      await browser.signIn({ account: await auth.discord.account({ username: 'known' }) });
      const { id } = (await meOf(browser)).user;
      const registered = async (userId = id) =>
        (await auth.backend.nats.request(registrationRpc, { userId })).registered;
      const subject = subjectOf(userRegistered, id);
      const published = async () =>
        (await auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject }))?.json();
      await eventually(async () => (await published()) !== undefined);
      const { seq: _seq, id: _id, ...state } = (await published()) as Record<string, unknown>;
      expect(await registered()).toMatchObject(state);
      expect(await registered(randomId())).toBeNull();
      expect((await browser.send('DELETE', `/api/users/${id}`, { confirm: 'known' })).status).toBeLessThan(300);
      expect(await registered()).toBeNull();
    } finally {
      await auth.stop();
    }
  });
});
