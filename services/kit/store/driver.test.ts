import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { STORE_SILENT_LOOKS_MAX } from '../bounds.js';
import { createLogger } from '../log.js';
import { connectStore } from '../store.js';
import { isStoreUnavailable } from '../store-errors.js';
import { startTestBackend, type TestBackend } from '../testing/index.js';
import { watchDriver } from './watch.js';

const CLIENT_SOCKETS = 'net.client.socket';

let backend: TestBackend;
let store: Connection;
let sockets: Socket[];
const opened = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);

beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.stop());

/** A store with one connection for operations: the driver's first socket is that of its heartbeats, the second the pool's. */
beforeEach(async () => {
  sockets = [];
  diagnostics.subscribe(CLIENT_SOCKETS, opened);
  const log = createLogger('test', 'silent');
  store = await connectStore(backend.mongodbUri, backend.dbName('closed'), log, undefined, {
    maxPoolSize: 1,
    heartbeatFrequencyMS: 500,
  });
  await find();
});
afterEach(async () => {
  diagnostics.unsubscribe(CLIENT_SOCKETS, opened);
  await store.close();
});

const find = () => store.collection('things').findOne({});

it('a read on a socket that is closed and has not reported so is done on another', async () => {
  const count = sockets.length;
  sockets.at(-1)?.destroy();
  await find();
  expect(sockets.length).toBeGreaterThan(count);
});

it('a write whose socket is closed before all of it is sent ends; where the driver may not try again, as one whose store is away', async () => {
  const socket = sockets.at(-1) as Socket;
  socket.cork();
  const text = 'x'.repeat(100_000);
  const writing = store.collection('things').insertOne({ text });
  const ended = writing.then(
    () => true,
    (err: unknown) => isStoreUnavailable(err),
  );
  await expect.poll(() => socket.writableNeedDrain).toBe(true);
  socket.destroy();
  expect(await ended).toBe(true);
  await find();
});

const next = (event: 'serverHeartbeatStarted' | 'serverHeartbeatFailed' | 'serverHeartbeatSucceeded') =>
  new Promise((resolve) => store.getClient().once(event, resolve));

it('a heartbeat on a socket that is closed and has not reported so fails, and others follow', async () => {
  const failure = next('serverHeartbeatFailed');
  // The event comes before the driver looks at its connection.
  store.getClient().once('serverHeartbeatStarted', () => sockets[0]?.destroy());
  await failure;
  await next('serverHeartbeatSucceeded');
  await find();
});

it('the watch over the driver gets its heartbeats', async () => {
  const watch = watchDriver(store.getClient(), new Map());
  for (let n = 1; n < 2 * STORE_SILENT_LOOKS_MAX; n += 1) {
    if (n % (STORE_SILENT_LOOKS_MAX - 1) === 0) await next('serverHeartbeatStarted');
    expect(watch.look()).toBeUndefined();
  }
});
