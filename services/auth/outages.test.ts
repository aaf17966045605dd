import { authEndpoints } from '@cord/contracts/http/auth';
import { userEndpoints } from '@cord/contracts/http/users';
import { opsUrlOf } from '@cord/kit/ops-port';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERASURE_RETRY_MS } from './store/erasures.js';
import { eventually, meOf, PUBLIC_ORIGIN, sessionsOf, startAuth } from './test/auth.js';
import { type Browser, createBrowser } from './test/browser.js';

const auth = forAllTests(() => startAuth({ own: true }));
let account: string;

beforeAll(async () => {
  account = await auth.discord.account({ username: 'steady' });
});

describe('several replicas', () => {
  it('share sign-ins and revocations: one begins a sign-in, another ends it; a logout takes effect within a second', async () => {
    const other = await auth.replica();
    const browser = auth.browser();
    const callback = await browser.toCallback({ account });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(callback, other.url), { headers: { cookie }, redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/?welcome=new');
    const token = /^cord=([^;]+)/.exec(
      answer.headers.getSetCookie().find((line) => line.startsWith('cord=')) ?? '',
    )?.[1];
    expect((await call(auth.url, authEndpoints.me, { token: token ?? '' })).status).toBe(200);
    await call(auth.url, authEndpoints.logout, { token: token ?? '' });
    await eventually(async () => (await call(other.url, authEndpoints.me, { token: token ?? '' })).status === 401);
  });
});

describe('while Discord is away', () => {
  it('a Discord address without a server gives auth_error=unreachable, and the sign-in can be retried', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const cutOff = await auth.replica({ discord: { tokenUrl: `http://${host}:9/api/oauth2/token` } });
      const browser = createBrowser(cutOff.url, PUBLIC_ORIGIN);
      expect(await browser.signIn({ account })).toBe('/?auth_error=unreachable');
    }
    expect(await auth.browser().signIn({ account })).toBe('/?welcome=back');
  });
});

describe('an admin by configuration', () => {
  it('gets the role at sign-in with a listed Discord id, and it is in the audit log once', async () => {
    const boss = await auth.discord.account({ username: 'boss' });
    const replica = await auth.replica({ env: { ADMIN_DISCORD_IDS: `5, ${boss}` } });
    const browser = createBrowser(replica.url, PUBLIC_ORIGIN);
    await browser.signIn({ account: boss });
    expect((await meOf(browser)).user.isAdmin).toBe(true);
    await eventually(async () => (await browser.get('/api/admin/audit')).status === 200);
    // Who gave the role is in the log, once: at a later sign-in it is there already.
    const { id } = (await meOf(browser)).user;
    await createBrowser(replica.url, PUBLIC_ORIGIN).signIn({ account: boss });
    const log = (await (await browser.get('/api/admin/audit')).json()) as { entries: { target: string }[] };
    expect(log.entries.filter(({ target }) => target === id)).toMatchObject([
      { action: 'role.admin', detail: { by: 'ADMIN_DISCORD_IDS' } },
    ]);
  });

  it('loses the role at the next start when off the list; one granted by an admin stays; changes are audited', async () => {
    const [listed, given] = [
      await auth.discord.account({ username: 'listed' }),
      await auth.discord.account({ username: 'given' }),
    ];
    const before = await auth.replica({ env: { ADMIN_DISCORD_IDS: `${listed},${given}` } });
    const browsers = await Promise.all(
      [listed, given].map(async (id) => {
        const browser = createBrowser(before.url, PUBLIC_ORIGIN);
        await browser.signIn({ account: id });
        await eventually(async () => (await browser.get('/api/admin/audit')).status === 200);
        return browser;
      }),
    );
    const [first, second] = browsers as [Browser, Browser];
    const { id } = (await meOf(second)).user;
    await fetch(`${opsUrlOf(before.direct)}/dev/users/${id}/admin`, { method: 'POST' });
    const after = await auth.replica();
    await eventually(async () => (await first.get('/api/admin/audit')).status === 403);
    expect((await meOf(first)).user.isAdmin).toBe(false);
    const again = createBrowser(after.url, PUBLIC_ORIGIN);
    await again.signIn({ account: listed });
    expect((await meOf(again)).user.isAdmin).toBe(false);
    const log = (await (await second.get('/api/admin/audit')).json()) as {
      entries: { action: string; target: string }[];
    };
    const { id: listedId } = (await meOf(first)).user;
    const acts = log.entries.filter(({ target }) => target === listedId).map(({ action }) => action);
    expect(acts).toEqual(['role.user', 'role.admin']);
  });

  it('stays without the role after an admin removed it, though still listed, until an admin grants it', async () => {
    const [boss, demoted] = [
      await auth.discord.account({ username: 'chief' }),
      await auth.discord.account({ username: 'demoted' }),
    ];
    const replica = await auth.replica({ env: { ADMIN_DISCORD_IDS: `${boss},${demoted}` } });
    const signIn = async (who: string) => {
      const browser = createBrowser(replica.url, PUBLIC_ORIGIN);
      await browser.signIn({ account: who });
      return browser;
    };
    const [chief, other] = [await signIn(boss), await signIn(demoted)];
    const { id } = (await meOf(other)).user;
    const change = (admin: boolean) => chief.send('PUT', `/api/admin/users/${id}`, { admin, reason: 'left the team' });
    await eventually(async () => (await change(false)).status === 200);
    const roleAfter = async () => (await meOf(await signIn(demoted))).user.isAdmin;
    expect(await roleAfter()).toBe(false);
    expect((await change(true)).status).toBe(200);
    expect(await roleAfter()).toBe(true);
  });

  it('does not regain a role that an admin removed by erasing the account', async () => {
    const [boss, taken] = [
      await auth.discord.account({ username: 'taker' }),
      await auth.discord.account({ username: 'taken' }),
    ];
    const replica = await auth.replica({ env: { ADMIN_DISCORD_IDS: `${boss},${taken}` } });
    const signIn = async (who: string) => {
      const browser = createBrowser(replica.url, PUBLIC_ORIGIN);
      await browser.signIn({ account: who });
      return { browser, ...(await meOf(browser)).user };
    };
    const [chief, other] = [await signIn(boss), await signIn(taken)];
    const take = () => chief.browser.send('PUT', `/api/admin/users/${other.id}`, { admin: false, reason: 'left' });
    await eventually(async () => (await take()).status === 200);
    const erased = await other.browser.send('DELETE', `/api/users/${other.id}`, { confirm: other.username });
    expect(erased.status).toBe(204);
    const back = await signIn(taken);
    expect([other.isAdmin, back.id === other.id, back.isAdmin]).toEqual([true, false, false]);
    expect((await signIn(taken)).isAdmin).toBe(false);
  });
});

describe('outside local mode', () => {
  it('has no /dev and refuses to start with an invalid setting', async () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: 'https://cord.example',
      DISCORD_CLIENT_ID: '123',
      DISCORD_CLIENT_SECRET: 'x',
      RATE_LIMIT_SCALE: '1',
    };
    const replica = await auth.replica({ env: production });
    const { user } = await meOf(await signedIn());
    const answer = await fetch(`${opsUrlOf(replica.direct)}/dev/users/${user.id}/admin`, { method: 'POST' });
    expect(answer.status).toBe(404);
    expect((await fetch(`${opsUrlOf(replica.direct)}/dev/clock`)).status).toBe(404);
    await expect(auth.replica({ env: { ...production, SESSION_SECRET: 'short' } })).rejects.toThrow(/SESSION_SECRET/);
  });
});

async function signedIn() {
  const browser = auth.browser();
  await browser.signIn({ account });
  return browser;
}

describe('while the store is away', () => {
  it('sign-ins end with the database error, reads get 503, and everything works again once it is back', async () => {
    const browser = auth.browser();
    const callback = await browser.toCallback({ account });
    const token = (await signedIn()).cookies.get('cord') ?? '';
    await auth.backend.storeServer?.kill();
    const [ended, started, stats] = await Promise.all([
      browser.get(callback),
      auth.browser().get('/api/auth/discord'),
      call(auth.url, userEndpoints.stats, { token }),
    ]);
    expect(ended.headers.get('location')).toBe('/?auth_error=database');
    expect(started.headers.get('location')).toBe('/?auth_error=start_failed');
    expect(stats.status).toBe(503);
    expect(stats.headers.get('retry-after')).toBeTruthy();
    await auth.backend.storeServer?.restart();
    await eventually(async () => (await call(auth.url, userEndpoints.stats, { token })).status === 200);
    expect(await auth.browser().signIn({ account })).toBe('/?welcome=back');
  });
});

describe('while NATS is away', () => {
  it('users and admins sign in, read, end sessions and erase accounts; events, ends and roles follow when it is back', async () => {
    const leaving = await auth.signUp('leaving');
    const last = (kind: string) => {
      const subject = { last_by_subj: `cord.user.v1.${kind}.${leaving.id}` };
      return auth.backend.nats.jsm.streams.getMessage('CORD_USERS', subject).catch(() => undefined);
    };
    await eventually(() => last('registered'));
    const chief = await auth.signUp('chief');
    await auth.makeAdmin(chief);
    const listed = await auth.discord.account({ username: 'listed since' });
    const replica = await auth.replica({ env: { ADMIN_DISCORD_IDS: listed } });
    const phones = [await auth.signIn(account), await auth.signIn(account)];
    const steady = await signedIn();
    await auth.backend.natsServer?.kill();
    // All that was to end is in the store before it is announced.
    expect((await steady.send('DELETE', '/api/auth/sessions')).status).toBe(503);
    expect(await sessionsOf(steady)).toHaveLength(1);
    const erasure = { token: leaving.token, params: { id: leaving.id }, body: { confirm: 'leaving' } };
    expect((await call(auth.url, userEndpoints.remove, erasure)).status).toBe(204);
    expect(await held(leaving.id)).toEqual([]);
    expect(await auth.browser().signIn({ account: chief.account })).toBe('/?welcome=back');
    const newAdmin = createBrowser(replica.url, PUBLIC_ORIGIN);
    expect(await newAdmin.signIn({ account: listed })).toBe('/?welcome=new');
    const newcomer = await auth.discord.account({ username: 'meanwhile' });
    const browser = auth.browser();
    expect(await browser.signIn({ account: newcomer })).toBe('/?welcome=new');
    const { user, welcome } = await meOf(browser);
    expect(welcome).toMatchObject({ isNewUser: true, credited: 0, pending: true });
    expect(user).toMatchObject({ username: 'meanwhile', current_balance: null, rank: null });
    await auth.backend.natsServer?.restart();
    await eventually(async () => (await meOf(browser)).welcome?.pending === false);
    await eventually(async () => (await newAdmin.get('/api/admin/audit')).status === 200);
    for (const { token } of [...phones, leaving])
      await eventually(async () => (await call(auth.url, authEndpoints.me, { token })).status === 401);
    const subject = `cord.user.v1.registered.${user.id}`;
    await eventually(
      async () =>
        (await auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject }).catch(() => null)) !==
        null,
    );
    await auth.clock.advance(ERASURE_RETRY_MS);
    await eventually(async () => (await last('erased')) && (await last('registered')) === null);
  });

  /** What of an erased account stays: its tombstone, the end of its sessions, and which events went out a moment ago. */
  const KEPT = ['erasures', 'revocations', 'recently_published'];
  /** Collections that have something of a user beyond that. */
  async function held(userId: string): Promise<string[]> {
    const store = await auth.backend.storeOf('auth');
    const found: string[] = [];
    for (const { name } of (await store.db?.listCollections().toArray()) ?? []) {
      const documents = await store.collection(name).find({}, { useBigInt64: false }).toArray();
      if (JSON.stringify(documents).includes(userId) && !KEPT.includes(name)) found.push(name);
    }
    return found;
  }
});
