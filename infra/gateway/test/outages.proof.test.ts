import { AUTH_ERROR_TEXTS } from '@cord/contracts/texts';
import { opsUrlOf } from '@cord/kit/ops-port';
import { createSessionSigner } from '@cord/kit/testing/signer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAuth } from '../../../services/auth/test/auth.js';
import type { Fixture } from '../../../services/mining/test/fixture.js';
import type { Shop } from '../../../services/rewards/test/shop.js';
import { type Call, origin } from './origin.js';

/*
 * What keeps working while a part is away, as seen by a browser: through the gateway, with the real services. This is a proof:
 * `npm test` tests the same for each service alone, and the services are loaded only when it runs.
 */

const MINUTE_MS = 60_000;

const bearing = (token: string, body?: object): Call => ({
  method: body ? 'POST' : 'GET',
  headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
  ...(body ? { body: JSON.stringify(body) } : {}),
});

describe('mining', () => {
  let mining: Fixture;
  beforeAll(async () => {
    const { startFixture } = await import('../../../services/mining/test/fixture.js');
    mining = await startFixture({ own: true });
  });
  afterAll(() => mining?.stop());

  test('works without NATS, responds 503 with Retry-After without the store, and loses nothing', async () => {
    const url = mining.replicas[0]?.url ?? '';
    const { nats, natsUrl } = mining.backend;
    const sessions = await createSessionSigner(nats);
    const site = await origin({ upstreams: { mining: [url] }, nats: { NATS_URL: natsUrl } });
    const user = await mining.newUser();
    const token = await sessions.sign(user.id, { nowMs: Date.now() });
    const { id: session } = await user.start();
    const save = () => site.call(`/api/users/${user.id}/mining/${session}/save`, bearing(token, {}));
    const history = () => site.call(`/api/users/${user.id}/mining/history`, bearing(token));
    const other = await mining.newUser();
    const othersToken = await sessions.sign(other.id, { nowMs: Date.now() });
    const othersStop = () => site.call(`/api/users/${other.id}/deactivate-node`, bearing(othersToken, {}));

    await mining.backend.natsServer?.kill();
    await expect.poll(async () => (await fetch(`${opsUrlOf(url)}/healthz`)).status).toBe(503);
    await mining.clock.advance(MINUTE_MS);
    expect((await save()).json()).toMatchObject({ success: true, newBalance: 0.5 });
    expect((await history()).status).toBe(200);
    // It stays callable: no prober removes it for a fault outside of it, which is reported elsewhere.
    expect((await fetch(`${opsUrlOf(url)}/readyz`)).status).toBe(200);
    expect((await site.call('/healthz')).json()).toMatchObject({ status: 'down', services: { mining: 'down' } });

    // Sign-in state is stale from now on: credits to the own account only still work.
    await expect.poll(async () => (await othersStop()).json().type).toBe('session-state-stale');
    expect((await othersStop()).headers['retry-after']).toMatch(/^\d+$/);
    await mining.clock.advance(MINUTE_MS);
    expect((await save()).json()).toMatchObject({ success: true, newBalance: 1 });

    await mining.backend.storeServer?.kill();
    await mining.clock.advance(MINUTE_MS);
    for (const refused of [await save(), await history()]) {
      expect([refused.status, refused.json().type]).toEqual([503, 'store-unavailable']);
      expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    }
    await mining.backend.storeServer?.restart();
    await expect.poll(async () => (await history()).status).toBe(200);
    await mining.clock.advance(MINUTE_MS);
    expect((await save()).json()).toMatchObject({ success: true, newBalance: 2 });
    await mining.audit();
    await mining.backend.natsServer?.restart();
    await expect.poll(async () => (await fetch(`${opsUrlOf(url)}/healthz`)).status).toBe(200);
  });
});

describe('signing in', () => {
  let auth: TestAuth;
  beforeAll(async () => {
    const { startAuth } = await import('../../../services/auth/test/auth.js');
    auth = await startAuth();
  });
  afterAll(() => auth?.stop());

  test('without Discord gets 503 with an error text, while existing sessions continue', async () => {
    const browser = auth.browser();
    const account = await auth.discord.account({ username: 'insider' });
    await browser.signIn({ account });
    const token = browser.cookies.get('cord') ?? '';
    const cutOff = await auth.replica({ discord: { apiUrl: 'http://127.0.0.1:9/api' } });
    const site = await origin({ upstreams: { auth: [cutOff.direct] }, nats: { NATS_URL: auth.backend.natsUrl } });
    const body = JSON.stringify({ code: 'any code' });
    const headers = { 'content-type': 'application/json' };
    const refused = await site.call('/api/auth/discord/callback', { method: 'POST', headers, body });
    expect(refused.status).toBe(503);
    expect(Object.values(AUTH_ERROR_TEXTS)).toContain(refused.json().error);
    const me = await site.call('/api/auth/me', bearing(token));
    expect([me.status, me.json().user?.username]).toEqual([200, 'insider']);
    const changed = await site.call(`/api/users/${me.json().user.id}/export`, bearing(token));
    expect(changed.status).toBe(200);
    expect((await fetch(`${opsUrlOf(cutOff.direct)}/healthz`)).status).toBe(200);
  });
});

describe('paying', () => {
  let shop: Shop;
  beforeAll(async () => {
    const { openShop } = await import('../../../services/rewards/test/shop.js');
    shop = await openShop();
  });
  afterAll(() => shop?.stop());

  test('without the chain still creates orders and shows epochs, and a payment stays in verification until it is back', async () => {
    const { nats, natsUrl } = shop.alone.backend;
    const sessions = await createSessionSigner(nats);
    const site = await origin({ upstreams: { rewards: [shop.url] }, nats: { NATS_URL: natsUrl } });
    const buyer = await shop.buyer();
    const token = await sessions.sign(buyer.userId, { nowMs: Date.now() });
    await shop.register(buyer);
    const order = await shop.order(buyer);
    const signature = await shop.pay(order);
    await shop.chain.fault('rpc-down');
    const made = await site.call('/api/badge-orders', bearing(token, {}));
    expect([made.status, made.json().status]).toEqual([201, 'pending']);
    expect((await site.call('/api/epochs/current')).status).toBe(200);
    const record = shop.record(buyer.userId, order);
    const handed = await site.call('/api/badge-purchases', bearing(token, { ...record, transactionHash: signature }));
    expect(handed.status).toBe(202);
    await shop.chain.fault('clear');
    await shop.pass(MINUTE_MS);
    await expect.poll(async () => (await shop.look(buyer, order)).status).toBe('confirmed');
    expect((await fetch(`${opsUrlOf(shop.url)}/healthz`)).status).toBe(200);
  });
});
