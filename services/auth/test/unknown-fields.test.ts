import { badgePurchased, claimMade } from '@cord/contracts/events/rewards';
import { authEndpoints } from '@cord/contracts/http/auth';
import { supportEndpoints } from '@cord/contracts/http/support';
import { userEndpoints } from '@cord/contracts/http/users';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { storedAt, writeAsNewer } from '@cord/kit/testing/unknown-fields';
import { expect, test, vi } from 'vitest';
import { meOf, startAuth } from './auth.js';
import { mineAt, publish, publishTimes } from './events.js';

const HOME = 'a'.repeat(32);

const auth = forAllTests(() => startAuth({ env: { RATE_LIMIT_SCALE: '1000' } }));

const stored = (collection: string, id: string) => storedAt(auth.backend, { service: 'auth', collection, id });

/** A browser whose user's first sign-in is not finished: its code cannot be processed yet. */
async function signedUp(account: string) {
  const browser = auth.browser();
  await browser.signIn({ account, ref: 'ABCD1234' });
  const { user } = await meOf(browser);
  return { id: user.id, token: browser.cookies.get('cord') ?? '' };
}

/** Node events, and those of other services. @param n of how many times it was done before */
async function receive(userId: string, n: number): Promise<void> {
  const { backend, clock } = auth;
  await mineAt(backend.nats, clock, { userId, addressHash: HOME, minutes: 90, seq: n * 10 + 1 });
  await publishTimes(backend.nats, clock, {
    userId,
    seq: n * 10 + 2,
    addresses: [{ hash: HOME, ms: (n + 2) * 5_400_000 }],
  });
  await publish(backend.nats, badgePurchased, userId, n + 1, { orderId: 'o', purchasedAt: n, transaction: 't' });
  const made = { amountMicro: '5', claimedAt: 1 };
  const claims = { compensation: made, cordclaim: null };
  await publish(backend.nats, claimMade, userId, n + 1, { kind: 'compensation', ...made, claims });
  await vi.waitFor(async () => {
    expect((await stored('mined_addresses', `${userId}:${HOME}`))?.totalMs).toBe((n + 2) * 5_400_000);
    expect(await stored('facts', userId)).toMatchObject({
      parts: { badge: { seq: BigInt(n + 1) }, compensation: { seq: BigInt(n + 1) } },
    });
  }, PATIENCE_MS);
}

test('unknown fields of a newer release survive every update of their document', async () => {
  const account = await auth.discord.account({ username: 'mara' });
  const bossAccount = await auth.discord.account({ username: 'boss' });
  const [one, boss] = [await signedUp(account), await signedUp(bossAccount)];
  await auth.makeAdmin(boss);
  await receive(one.id, 0);
  const own = { token: one.token, params: { id: one.id } };
  const text = { kind: 'support', subject: 'Please look', text: 'Something is not as it was.' } as const;
  const filed = await call(auth.url, supportEndpoints.file, { ...own, body: text });
  const newer = await writeAsNewer(auth.backend, 'auth', {
    pass: () => auth.clock.advance(6_000),
    except: { audit: 'never changed', streams: 'where publishing is', signing_keys: 'made once, read by their parts' },
  });

  await auth.clock.advance(3_600_000);
  await receive(one.id, 1);
  for (const body of [{ theme: 'dark' }, { locale: 'de' }] as const)
    expect((await call(auth.url, userEndpoints.update, { ...own, body })).status).toBe(200);
  // An hour later: to mark an address wants a fresh sign-in.
  const admin = { token: (await signedUp(bossAccount)).token, params: { id: filed.body.id, key: HOME } };
  await call(auth.url, supportEndpoints.answer, { ...admin, body: { answer: 'Fine' } });
  await call(auth.url, supportEndpoints.markAddress, { ...admin, body: { shared: true, reason: 'A flat of three' } });
  // Its first sign-in goes on, its greeting is acknowledged, and it signs in once more.
  await call(auth.url, authEndpoints.acknowledgeWelcome, own);
  const tries = async () => (await stored('users', one.id))?.onboarding as { tries: number };
  const before = (await tries()).tries;
  await vi.waitFor(async () => {
    await auth.clock.advance(3_600_000);
    expect((await tries()).tries).toBeGreaterThan(before);
  }, PATIENCE_MS);
  expect((await signedUp(account)).id).toBe(one.id);

  expect(await newer.lost()).toEqual([]);
  expect(await newer.changed()).toEqual(
    expect.arrayContaining(['addresses', 'assessments', 'facts', 'mined_addresses', 'support_requests', 'users']),
  );
});
