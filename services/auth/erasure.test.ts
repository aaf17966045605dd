import { referralLinked } from '@cord/contracts/events/referral';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { supportEndpoints } from '@cord/contracts/http/support';
import { type User, userEndpoints } from '@cord/contracts/http/users';
import { exportRpc } from '@cord/contracts/rpc/export';
import { call } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { describe, expect, it } from 'vitest';
import { eventually, meOf, startAuth, wholeMeOf } from './test/auth.js';
import { mineAt, publish } from './test/events.js';

const auth = forAllTests(() => startAuth());

async function signUp(username: string) {
  const account = await auth.discord.account({ username, createdAt: '2018-08-08', avatar: 'a_0123456789abcdef' });
  const browser = auth.browser();
  await browser.signIn({ account });
  const { user, welcome } = await meOf(browser);
  return { account, id: user.id, user, welcome, token: browser.cookies.get('cord') ?? '' };
}

async function signedIn(account: string) {
  const browser = auth.browser();
  await browser.signIn({ account });
  return browser;
}

/** Every document of every collection of the service, as text. */
async function everything(): Promise<string> {
  const store = await auth.backend.storeOf('auth');
  const texts: string[] = [];
  for (const { name } of (await store.db?.listCollections().toArray()) ?? []) {
    for (const doc of await store.collection(name).find({}, { useBigInt64: false }).toArray())
      texts.push(`${name} ${JSON.stringify(doc)}`);
  }
  return texts.join('\n');
}

describe('the data export', () => {
  it('starts with the user record’s fields, includes each service’s data and names the missing services', async () => {
    const person = await signUp('exported');
    await call(auth.url, supportEndpoints.file, {
      token: person.token,
      body: { kind: 'support', subject: 'Where is', text: 'my exported question?' },
    });
    stopAfterTest(auth.backend.nats.serve(exportRpc('mining'), async ({ userId }) => ({ entries: [`of ${userId}`] })));
    // NATS has it before another connection sends a request.
    await auth.backend.nats.nc.flush();
    const answer = await call(auth.url, userEndpoints.export, { token: person.token, params: { id: person.id } });
    expect(Object.keys(answer.body).slice(0, 7)).toEqual([
      'username',
      'total_earned',
      'current_balance',
      'account_age',
      'multiplier',
      'referralCode',
      'exportDate',
    ]);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="cord-export.json"');
    const { total_earned, current_balance, account_age, multiplier, referralCode } = answer.body.user as Record<
      string,
      unknown
    >;
    expect(current_balance).toBeGreaterThan(0);
    expect(answer.body).toMatchObject({
      ...{ total_earned, current_balance, account_age, multiplier, referralCode },
      username: 'exported',
      mining: { entries: [`of ${person.id}`] },
      tasks: null,
      missing: ['tasks', 'referrals', 'rewards', 'leaderboard', 'notices'],
    });
    expect(answer.text).toContain(person.account);
    expect(answer.text).toContain('my exported question?');
  });
});

describe('erasure', () => {
  it('requires the user’s own username, typed exactly', async () => {
    const person = await signUp('hesitant');
    const params = { id: person.id };
    for (const confirm of ['Hesitant', '', 'x', 5]) {
      const answer = await call(auth.url, userEndpoints.remove, { token: person.token, params, body: { confirm } });
      expect([answer.status, answer.problem.errors?.[0]?.path]).toEqual([400, 'confirm']);
    }
    expect((await call(auth.url, userEndpoints.get, { token: person.token, params })).status).toBe(200);
  });

  it('deletes the person’s name, Discord id, requests and records, ends all sessions and publishes user.erased', async () => {
    const person = await signUp('Erika Vergessen');
    const addressHash = '7'.repeat(32);
    await mineAt(auth.backend.nats, auth.clock, { userId: person.id, addressHash, minutes: 90, seq: 1 });
    await eventually(async () => (await everything()).includes(addressHash));
    await call(auth.url, supportEndpoints.file, {
      token: person.token,
      body: { kind: 'support', subject: 'A question', text: 'Only Erika would write this.' },
      headers: { 'Idempotency-Key': 'sent-once' },
    });
    const dead = `cord.dead.v1.tasks.CORD_USERS.${person.id}`;
    await auth.backend.nats.js.publish(dead, JSON.stringify({ payload: 'Erika Vergessen' }));
    const traces = ['Erika', person.account, 'a_0123456789abcdef', addressHash, 'would write this'];
    const before = await everything();
    for (const trace of traces) expect(before).toContain(trace);

    const answer = await call(auth.url, userEndpoints.remove, {
      token: person.token,
      params: { id: person.id },
      body: { confirm: 'Erika Vergessen' },
    });
    expect(answer.status).toBe(204);
    const after = await everything();
    for (const trace of ['Erika', person.account, 'would write this']) expect(after).not.toContain(trace);
    expect(after).not.toMatch(
      new RegExp(`(users|sessions|facts|assessments|mined_addresses|support_requests|idempotency_keys) .*${person.id}`),
    );

    await eventually(async () => (await call(auth.url, userEndpoints.stats, { token: person.token })).status === 401);
    const { jsm } = auth.backend.nats;
    const last = (subject: string) => jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject });
    const erased = await eventually(async () => (await last(`cord.user.v1.erased.${person.id}`)) ?? undefined);
    expect(userErased.schema.parse(erased.json()).userId).toBe(person.id);
    expect(await last(`cord.user.v1.registered.${person.id}`)).toBeNull();
    expect(await jsm.streams.getMessage('CORD_DEAD', { last_by_subj: dead })).toBeNull();
  });

  it('leaves no support request that was filed meanwhile', async () => {
    const person = await signUp('filing still');
    // As an erasure begins: the record goes before all else, while the session still holds.
    await (await auth.backend.storeOf('auth')).collection<{ _id: string }>('users').deleteOne({ _id: person.id });
    const body = { kind: 'support' as const, subject: 'A question', text: 'Who still reads this letter?' };
    const answer = await call(auth.url, supportEndpoints.file, { token: person.token, body });
    expect(answer.status).toBe(404);
    expect(await everything()).not.toContain('still reads this letter');
  });

  it('shows friends of an erased referrer ‘Deleted user’ instead of the name', async () => {
    const [referrer, friend] = [await signUp('Rufus Werber'), await signUp('friend of Rufus')];
    const me = async () =>
      (await call(auth.url, userEndpoints.get, { token: friend.token, params: { id: friend.id } })).body as User;
    const place = { referralCode: 'FRIEND12', totalReferrals: 0, earningsMicro: '0' };
    const named = { ...place, referredBy: { userId: referrer.id } };
    await publish(auth.backend.nats, referralLinked, friend.id, 1, named);
    await eventually(async () => (await me()).referred_by === 'Rufus Werber');
    await call(auth.url, userEndpoints.remove, {
      token: referrer.token,
      params: { id: referrer.id },
      body: { confirm: 'Rufus Werber' },
    });
    expect((await me()).referred_by).toBe('Deleted user');
    expect((await me()).referralCode).toBe('FRIEND12');
  });

  it('makes a returning person a new user without a second welcome credit', async () => {
    const person = await signUp('boomerang');
    expect(person.welcome?.credited).toBeGreaterThan(0);
    const body = { confirm: 'boomerang' };
    await call(auth.url, userEndpoints.remove, { token: person.token, params: { id: person.id }, body });
    const browser = auth.browser();
    expect(await browser.signIn({ account: person.account })).toBe('/?welcome=new');
    const { user, welcome } = await wholeMeOf(browser);
    expect(user.id).not.toBe(person.id);
    expect(user.current_balance).toBe(0);
    expect(welcome).toMatchObject({ isNewUser: true, credited: 0, pending: false });
    expect(auth.ledger.credits.map(({ key }) => key)).not.toContain(`welcome:${user.id}`);
    const subject = `cord.user.v1.registered.${user.id}`;
    const registered = await eventually(
      async () =>
        (await auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject })) ?? undefined,
    );
    expect(userRegistered.schema.parse(registered.json()).returning).toBe(true);
  });

  it('is never refused; after the third within 30 days, the return is refused for 30 days', async () => {
    const account = await auth.discord.account({ username: 'revolving', createdAt: '2018-08-08' });
    const signIn = async () => {
      const browser = auth.browser();
      const landed = await browser.signIn({ account });
      return { landed, token: browser.cookies.get('cord') ?? '', id: (await meOf(browser)).user?.id ?? '' };
    };
    const erase = ({ token, id }: { token: string; id: string }) =>
      call(auth.url, userEndpoints.remove, { token, params: { id }, body: { confirm: 'revolving' } });
    for (let round = 1; round <= 3; round++) {
      const person = await signIn();
      expect(person.landed).toBe('/?welcome=new');
      // Two requests for one account are one erasure.
      const answers = await Promise.all([erase(person), erase(person)]);
      expect(answers.map(({ status }) => status)).toContain(204);
      await auth.clock.advance(3_600_000);
    }
    const refused = async () => (await auth.browser().signIn({ account })).includes('auth_error=returns_limited');
    expect(await refused()).toBe(true);
    expect(await everything()).not.toContain('revolving');
    await auth.clock.advance(29 * 86_400_000);
    expect(await refused()).toBe(true);
    await auth.clock.advance(2 * 86_400_000);
    const back = await signIn();
    expect(back.landed).toBe('/?welcome=new');
    expect((await erase(back)).status).toBe(204);

    // The days go; that there was an erasure stays.
    const tombstone = async (days: object) =>
      (await auth.backend.storeOf('auth')).collection('tombstones').countDocuments({ days });
    const today = Math.floor(auth.clock.now() / 86_400_000);
    expect(await tombstone({ $lte: today - 30 })).toBeGreaterThan(0);
    await auth.clock.advance(31 * 86_400_000);
    await eventually(async () => (await tombstone({ $lte: today - 30 })) === 0);
    expect((await meOf(await signedIn(account))).welcome).toMatchObject({ credited: 0, pending: false });
  });
});
