import { subjectOf } from '@cord/contracts/events/envelope';
import { nodePaused } from '@cord/contracts/events/node';
import { referralJoined } from '@cord/contracts/events/referral';
import { userErased, userRegistered, userSettings, userUpdated } from '@cord/contracts/events/user';
import { noticesEndpoints } from '@cord/contracts/http/notices';
import { exportRpc } from '@cord/contracts/rpc/export';
import { type Fixture, startFixture } from '@cord/kit/testing/fixture';
import { call, hearTold, randomId } from '@cord/kit/testing/index';
import { registered } from '@cord/kit/testing/registered';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { service } from './service.js';
import { EVENING, HOUR, paused } from './test/inbox-world.js';

let alone: Fixture;
beforeAll(async () => {
  alone = await startFixture(service, EVENING);
});
afterAll(() => alone?.stop());

/** A user whom auth has told of, and the own inbox. */
async function someone() {
  const userId = randomId();
  const token = await alone.tokenOf(userId);
  await alone.tell(userRegistered, userId, registered(EVENING - HOUR));
  const params = { id: userId };
  const inbox = async (query = {}) => (await call(alone.url, noticesEndpoints.list, { params, query, token })).body;
  const read = async (upTo: string) =>
    (await call(alone.url, noticesEndpoints.read, { params, body: { upTo }, token })).body;
  return { userId, token, inbox, read };
}

test('what others publish stands in the inbox, the stream says so, and it is read by its user alone', async () => {
  const [me, friend] = [await someone(), await someone()];
  const told = await hearTold(alone.backend.nats, me.userId);
  await alone.tell(userUpdated, friend.userId, { ...registered(EVENING), username: 'kofi_b' }, 2);
  const state = { friendId: friend.userId, joinedAt: EVENING - HOUR, counts: true };
  const event = { v: 1, id: randomId(), at: EVENING, userId: me.userId, seq: '1', ...state };
  await alone.backend.nats.publish(subjectOf(referralJoined, me.userId, friend.userId), event, event.id);
  await expect.poll(me.inbox).toMatchObject({ notices: [{ title: 'kofi_b joined with your code' }], unread: 1 });
  await expect.poll(() => told.notices.length).toBe(1);
  expect(await me.read(new Date(EVENING).toISOString())).toEqual({ unread: 0 });
  await expect.poll(() => told.notices.length).toBe(2);
  const foreign = { params: { id: me.userId }, token: friend.token };
  expect((await call(alone.url, noticesEndpoints.list, foreign)).status).toBe(403);
  const body = { upTo: new Date(EVENING).toISOString() };
  expect((await call(alone.url, noticesEndpoints.read, { ...foreign, body })).status).toBe(403);
  expect((await call(alone.url, noticesEndpoints.list, { params: foreign.params })).status).toBe(401);
});

test('what the user has switched off in Settings is heeded where it stands; an export has all, an erasure leaves nothing', async () => {
  const me = await someone();
  await alone.tell(userSettings, me.userId, { notices: { 'node-paused': 'off' } }, 2);
  await alone.tell(nodePaused, me.userId, paused(EVENING - 2 * HOUR), 4);
  const handled = async () => {
    const { num_pending, num_ack_pending } = await alone.backend.nats.jsm.consumers.info('CORD_NODES', 'notices');
    return num_pending + num_ack_pending;
  };
  await expect.poll(handled).toBe(0);
  await alone.tell(userSettings, me.userId, { notices: { 'node-paused': 'app' } }, 3);
  const sessionId = randomId();
  await alone.tell(nodePaused, me.userId, paused(EVENING - HOUR, sessionId), 6);
  await expect.poll(me.inbox).toMatchObject({ notices: [{ title: 'Your node paused at 20:00 UTC' }] });

  const held = () => alone.backend.nats.request(exportRpc('notices'), { userId: me.userId });
  expect(await held()).toMatchObject({ notices: [{ kind: 'node-paused', subject: sessionId, readAtMs: null }] });
  await alone.tell(userErased, me.userId, {}, 9);
  await expect.poll(held).toMatchObject({ notices: [], person: { erased: true } });
});
