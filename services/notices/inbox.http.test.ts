import { subjectOf } from '@cord/contracts/events/envelope';
import { nodePaused } from '@cord/contracts/events/node';
import { referralJoined } from '@cord/contracts/events/referral';
import { userErased, userRegistered, userSettings, userUpdated } from '@cord/contracts/events/user';
import { noticesEndpoints } from '@cord/contracts/http/notices';
import { RATE_LIMITS } from '@cord/contracts/limits';
import { exportRpc } from '@cord/contracts/rpc/export';
import { rankCardRpc } from '@cord/contracts/rpc/rank';
import { codeOwnerRpc } from '@cord/contracts/rpc/referral';
import type { RunningService } from '@cord/kit/service';
import { startFixture } from '@cord/kit/testing/fixture';
import { call, collectLive, randomId, signTestCaller } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { registered } from '@cord/kit/testing/registered';
import { expect, test } from 'vitest';
import { service } from './service.js';
import { EVENING, HOUR, paused } from './test/inbox-world.js';

const notices = forAllTests(() => startFixture(service, EVENING));

/** A registered user, and the own inbox. */
async function someone() {
  const userId = randomId();
  const token = await notices.tokenOf(userId);
  await notices.publish(userRegistered, userId, registered(EVENING - HOUR));
  const params = { id: userId };
  const inbox = async (query = {}) => (await call(notices.url, noticesEndpoints.list, { params, query, token })).body;
  const read = async (upTo: string) =>
    (await call(notices.url, noticesEndpoints.read, { params, body: { upTo }, token })).body;
  return { userId, token, inbox, read };
}

test('an event of another service appears in the inbox, is announced live, and can be read', async () => {
  const [me, friend] = [await someone(), await someone()];
  const live = await collectLive(notices.backend.nats, me.userId);
  await notices.publish(userUpdated, friend.userId, { ...registered(EVENING), username: 'kofi_b' }, 2);
  const state = { friendId: friend.userId, joinedAt: EVENING - HOUR, counts: true };
  const event = { v: 1, id: randomId(), at: EVENING, userId: me.userId, seq: '1', ...state };
  await notices.backend.nats.publish(subjectOf(referralJoined, me.userId, friend.userId), event, event.id);
  await expect.poll(me.inbox).toMatchObject({ notices: [{ title: 'kofi_b joined with your code' }], unread: 1 });
  await expect.poll(() => live.notices.length).toBe(1);
  expect(await me.read(new Date(EVENING).toISOString())).toEqual({ unread: 0 });
  await expect.poll(() => live.notices.length).toBe(2);
});

const SETTINGS = { notifications: true, quietHours: null, locale: 'und' };

test('a kind that is switched off creates no notice; the export has all notices, an erasure leaves none', async () => {
  const me = await someone();
  await notices.publish(userSettings, me.userId, { ...SETTINGS, notices: { 'node-paused': 'off' } }, 2);
  await notices.publish(nodePaused, me.userId, paused(EVENING - 2 * HOUR), 4);
  const handled = async () => {
    const { num_pending, num_ack_pending } = await notices.backend.nats.jsm.consumers.info('CORD_NODES', 'notices');
    return num_pending + num_ack_pending;
  };
  await expect.poll(handled).toBe(0);
  await notices.publish(userSettings, me.userId, { ...SETTINGS, notices: { 'node-paused': 'app' } }, 3);
  const sessionId = randomId();
  await notices.publish(nodePaused, me.userId, paused(EVENING - HOUR, sessionId), 6);
  await expect.poll(me.inbox).toMatchObject({ notices: [{ title: 'Your node paused at 20:00 UTC' }] });

  const held = () => notices.backend.nats.request(exportRpc('notices'), { userId: me.userId });
  expect(await held()).toMatchObject({ notices: [{ kind: 'node-paused', subject: sessionId, readAtMs: null }] });
  await notices.publish(userErased, me.userId, {}, 9);
  await expect.poll(held).toMatchObject({ notices: [], person: { erased: true } });
});

test('share cards show public facts, are cached, are gone with their owner, and are limited by address', async () => {
  const owners = new Map([['K7M2QX9D', randomId()]]);
  const known = { username: 'Mara Okafor', miners: 2, rank: 1, earnedMicro: '5000000', accountAge: 5.4 };
  const gone = new Set<string>();
  const serving = [
    notices.backend.nats.serve(codeOwnerRpc, async ({ code }) => ({ userId: owners.get(code) ?? null })),
    notices.backend.nats.serve(rankCardRpc, async ({ userId }) =>
      gone.has(userId) || ![...owners.values()].includes(userId)
        ? null
        : { ...known, tierHundredths: 350, badge: true },
    ),
  ];
  // The server of NATS has the responder.
  await notices.backend.nats.nc.flush();
  const byNobody = { authorization: `Bearer ${await signTestCaller()}` };
  const card = async (path: string, more: Record<string, string> = {}) => {
    const headers = { ...byNobody, ...more };
    const answer = await fetch(`${notices.url}/api/share/${path}`, { headers });
    const type = answer.headers.get('content-type');
    return { answer, status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const first = await card('K7M2QX9D.png');
  expect([first.status, first.type, first.answer.headers.get('cache-control')]).toEqual([
    200,
    'image/png',
    'public, max-age=600',
  ]);
  expect(first.bytes.subarray(1, 4).toString()).toBe('PNG');
  const again = await card('K7M2QX9D.png', { 'If-None-Match': first.answer.headers.get('etag') ?? '' });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  const userId = owners.get('K7M2QX9D') ?? '';
  const dark = await card(`rank/${userId}.png?period=weekly&theme=dark`);
  expect([dark.status, dark.bytes.equals(first.bytes)]).toEqual([200, false]);

  const wrong = [
    'ZZZZZZZ9.png',
    'k7m2qx9d.png',
    'K7M2QX9D',
    'K7M2QX9D.svg',
    'x.png',
    `rank/${randomId()}.png`,
    'rank/x.png',
  ];
  for (const path of wrong) {
    const { status, type } = await card(path);
    expect([path, status, type]).toEqual([path, 404, 'application/problem+json']);
  }
  for (const field of ['theme', 'lang']) {
    const bad = await card(`K7M2QX9D.png?${field}=pink`);
    expect([bad.status, JSON.parse(bad.bytes.toString()).errors[0].path]).toEqual([400, field]);
  }
  const german = await card('K7M2QX9D.png?lang=de');
  expect([german.status, german.bytes.equals(first.bytes)]).toEqual([200, false]);
  gone.add(userId);
  expect((await card('K7M2QX9D.png')).status).toBe(404);

  const limited = await notices.replica({ env: { RATE_LIMIT_SCALE: '0.02' } });
  const statuses: number[] = [];
  for (let n = 0; n <= RATE_LIMITS.picture.points * 0.02; n += 1)
    statuses.push((await fetch(`${limited.url}/api/share/K7M2QX9D.png`, { headers: byNobody })).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  await limited.close();
  for (const each of serving) await each.stop();
});

test('browsers can subscribe to push if there is a key, at known hosts, each user for their own devices', async () => {
  const [me, other] = [await someone(), await someone()];
  const env = { VAPID_PRIVATE_KEY: '1'.repeat(64), PUSH_HOSTS: 'localhost:9' };
  const pushing = stopAfterTest(stoppable(await notices.replica({ env })));
  const params = { id: me.userId };
  const { pushKey, pushDevices, pushSubscribe, pushRemove, pushTest } = noticesEndpoints;
  const keyOf = (url: string) => call(url, pushKey, { params, token: me.token });
  expect((await keyOf(notices.url)).body).toEqual({ key: null });
  expect(Buffer.from((await keyOf(pushing.url)).body.key ?? '', 'base64url')).toHaveLength(65);

  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') };
  const subscribe = (endpoint: string, url = pushing.url) =>
    call(url, pushSubscribe, {
      params,
      token: me.token,
      body: { endpoint, keys, zone: 'Europe/Berlin', locale: 'de' },
    });
  expect((await subscribe('https://localhost:9/me', notices.url)).status).toBe(404);
  const elsewhere = await subscribe('https://localhost:10/me');
  expect([elsewhere.status, elsewhere.problem.errors?.[0]?.path]).toEqual([400, 'endpoint']);
  const { body: device } = await subscribe('https://localhost:9/me');
  expect((await subscribe('https://localhost:9/me')).body).toEqual(device);
  expect(device).toMatchObject({ allowedAt: new Date(EVENING).toISOString(), lastSentAt: null });
  expect((await call(pushing.url, pushDevices, { params, token: me.token })).body).toEqual([device]);

  const body = { id: device.id };
  const foreign = { params: { id: other.userId }, token: other.token, body };
  expect((await call(pushing.url, pushRemove, foreign)).status).toBe(404);
  expect((await call(pushing.url, pushDevices, { params, token: other.token })).status).toBe(403);
  const tested = await call(pushing.url, pushTest, { params, token: me.token, body });
  expect([tested.status, tested.problem.type]).toEqual([503, 'push-unreachable']);
  expect((await call(pushing.url, pushRemove, { params, token: me.token, body })).status).toBe(204);
  expect((await call(pushing.url, pushTest, { params, token: me.token, body })).status).toBe(404);
});

const stoppable = ({ url, close }: RunningService) => ({ url, stop: close });
