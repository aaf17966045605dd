import { liveSubject, liveSubjectOfAll } from '@cord/contracts/live/subjects';
import { createLive } from '@cord/kit/live';
import { opsUrlOf } from '@cord/kit/ops-port';
import type { RunningService } from '@cord/kit/service';
import { type EventReader, openStream } from '@cord/kit/testing/event-reader';
import {
  createSigner,
  createTestClock,
  type NatsServer,
  randomId,
  type Signer,
  signTestCaller,
  startForTest,
  startTestBackend,
  type TestClock,
} from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { service } from './service.js';

const backend = forAllTests(() => startTestBackend({ own: true }));
let signer: Signer;
let clock: TestClock;
const replicas: RunningService[] = [];
const opened: EventReader[] = [];

beforeAll(async () => {
  signer = await createSigner(backend.nats);
  clock = createTestClock();
  const dbName = backend.dbName('notices');
  for (let n = 0; n < 2; n += 1) replicas.push(await startForTest(service, backend, { clock, dbName }));
});
afterAll(async () => {
  for (const reader of opened) reader.close();
  for (const replica of replicas) await replica.close();
});

async function open(token: string | undefined, replica = 0): Promise<EventReader> {
  const reader = await openStream(replicas[replica]?.url ?? '', token);
  opened.push(reader);
  return reader;
}

/** A user with a session and a stream that has begun. */
async function reading({ replica = 0, lifetimeMs = 3_600_000, userId = randomId() } = {}) {
  const sessionId = randomId();
  const token = await signer.sign(userId, { nowMs: clock.now(), sessionId, lifetimeMs });
  const reader = await open(token, replica);
  await expect.poll(() => reader.read.length).toBeGreaterThan(1);
  // The subscription of a first stream is at the server once a round trip behind it is.
  await expect.poll(() => receivedBy(reader, userId)).toBe(true);
  return { userId, sessionId, token, reader };
}

/** Whether a hint that is sent now comes through. */
async function receivedBy(reader: EventReader, userId: string): Promise<boolean> {
  publish(userId, 'tasks', '{"seq":"0"}');
  await backend.nats.nc.flush();
  return reader.events().length > 0;
}

const publish = (userId: string, kind: string, data: string) =>
  backend.nats.nc.publish(`cord.live.v1.${kind}.${userId}`, data);
const kindsOf = (reader: EventReader) => reader.events().map(({ event }) => event);
const ended = (reader: EventReader, timeout: number) => expect.poll(reader.isEnded, { timeout }).toBe(true);

describe('GET /api/events', () => {
  test('responds 401 without a session, and 403 past the gateway, as a problem', async () => {
    const unsigned = await signTestCaller();
    for (const [token, status, type] of [
      [unsigned, 401, 'sign-in-needed'],
      ['nonsense', 403, 'not-through-gateway'],
      [undefined, 403, 'not-through-gateway'],
    ] as const) {
      const reader = await open(token);
      expect(reader.status).toBe(status);
      expect(reader.headers['content-type']).toContain('application/problem+json');
      await expect.poll(() => reader.text()).toContain(`"type":"${type}"`);
    }
  });

  test('starts with a retry time, and no proxy may cache, compress or buffer it', async () => {
    const { reader } = await reading();
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reader.headers['content-encoding']).toBeUndefined();
    expect(reader.read[0]?.retry).toBeGreaterThanOrEqual(1_000);
    expect(reader.read[0]?.retry).toBeLessThanOrEqual(4_000);
    expect(reader.read[1]).toEqual({ comment: true });
  });

  test('sends a user’s and everybody’s events in every replica, with rising ids', async () => {
    const userId = randomId();
    const [here, there] = [await reading({ userId }), await reading({ userId, replica: 1 })];
    const stranger = await reading();
    const live = createLive(backend.nats);
    live.send('orders', userId, { seq: '5' });
    live.sendAll('release', { seq: '9' });
    for (const { reader } of [here, there]) {
      await expect.poll(() => kindsOf(reader)).toEqual(expect.arrayContaining(['orders', 'release']));
      const ids = reader.events().map(({ id }) => id ?? 0);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(reader.events().find(({ event }) => event === 'orders')?.data).toEqual({ seq: '5' });
    }
    await expect.poll(() => kindsOf(stranger.reader)).toContain('release');
    expect(kindsOf(stranger.reader)).not.toContain('orders');
  });

  test('passes on only messages in the form that services send', async () => {
    const { userId, reader } = await reading();
    publish(userId, 'balance', '{"type":"io.nats.jetstream.api.v1.stream_info_response"}');
    publish(userId, 'balance', '{"seq":"1"}\n\nevent: balance\ndata: {"seq":"2"}');
    publish(userId, 'BALANCE-1', '{"seq":"3"}');
    publish(userId, 'balance', `{"seq":"4","more":"${'x'.repeat(17_000)}"}`);
    // A kind of a newer release goes through: the page decides what it handles.
    publish(userId, 'staking', '{"seq":"5"}');
    await expect.poll(() => kindsOf(reader)).toContain('staking');
    expect(kindsOf(reader).filter((kind) => kind !== 'tasks')).toEqual(['staking']);
  });

  test('holds eight streams per user; the ninth closes the oldest, with a long retry time', async () => {
    const userId = randomId();
    const streams: EventReader[] = [];
    for (let n = 0; n < 9; n += 1) streams.push((await reading({ userId })).reader);
    await ended(streams[0] as EventReader, 1_000);
    expect(streams[0]?.read.at(-1)?.retry).toBeGreaterThanOrEqual(60_000);
    expect(streams.slice(1).map((reader) => reader.isEnded())).toEqual(Array(8).fill(false));
  });

  test('responds to HEAD without a body, and rejects POST with 405', async () => {
    const { token } = await reading();
    const url = `${replicas[0]?.url}/api/events`;
    const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });
});

test('a replica reports its streams and closes them at its end with spread retry times; the other continues', async () => {
  const userId = randomId();
  const here = await reading({ userId, replica: 1 });
  const there = await reading({ userId });
  const figures = await (await fetch(`${opsUrlOf(replicas[1]?.url ?? '')}/metrics`)).text();
  expect(Number(/^cord_streams{[^}]*} (\d+)/m.exec(figures)?.[1])).toBeGreaterThan(0);
  await replicas.pop()?.close();
  await ended(here.reader, 1_000);
  expect(here.reader.read.at(-1)?.retry).toBeGreaterThanOrEqual(500);
  expect(here.reader.read.at(-1)?.retry).toBeLessThanOrEqual(10_500);
  backend.nats.nc.publish(liveSubject('notices', userId), '{"seq":"1"}');
  backend.nats.nc.publish(liveSubjectOfAll('stats'), '{"seq":"1"}');
  await expect.poll(() => kindsOf(there.reader)).toEqual(expect.arrayContaining(['notices', 'stats']));
});

test('after an outage of NATS every stream is closed with a spread retry time, and can be reopened', async () => {
  const { userId, reader } = await reading();
  const server = backend.natsServer as NatsServer;
  await server.kill();
  expect(reader.isEnded()).toBe(false);
  await server.restart();
  await ended(reader, 20_000);
  expect(reader.read.at(-1)?.retry).toBeGreaterThanOrEqual(500);
  expect(reader.read.at(-1)?.retry).toBeLessThanOrEqual(10_500);
  const again = await reading({ userId });
  expect(again.reader.isEnded()).toBe(false);
});
