import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { STORE_SILENT_LOOKS_MAX } from '../bounds.js';
import { createLogger } from '../log.js';
import { connectStore } from '../store.js';
import { isStoreUnavailable } from '../store-errors.js';
import { testCertificate } from '../testing/certificate.js';
import { startTestBackend } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { isOnPath } from '../testing/process.js';
import { watchDriver } from './watch.js';

const backend = forAllTests(() => startTestBackend());

/** A way to the store: its address, and what to stop. */
type Open = () => Promise<{ uri: string; stop(): Promise<void> }>;
const asGiven: Open = async () => ({ uri: backend.mongodbUri, stop: async () => undefined });
/** Sockets are another class there. */
const behindTls: Open = async () => {
  const { certFile, keyFile, remove } = await testCertificate();
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const { hostname, port, username, password, searchParams: options } = new URL(backend.mongodbUri);
  const server = createServer({ cert, key }, (client) => {
    const inside = connect(Number(port), hostname);
    client.pipe(inside).pipe(client);
    for (const [one, other] of [
      [client, inside],
      [inside, client],
    ] as const)
      one.on('error', () => one.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const user = username === '' ? '' : `${username}:${password}@`;
  for (const [name, value] of Object.entries({ directConnection: 'true', tls: 'true', tlsCAFile: certFile }))
    options.set(name, value);
  return {
    uri: `mongodb://${user}localhost:${(server.address() as AddressInfo).port}/?${options}`,
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await remove();
    },
  };
};
/** Behind TLS already, or no store of this machine. */
const isElsewhere = /,|tls=/.test(process.env.MONGODB_URI ?? '');

const WAYS: readonly [string, Open][] = [
  ['as it is given', asGiven],
  ...(isOnPath('openssl') && !isElsewhere ? [['behind TLS', behindTls] as [string, Open]] : []),
];

describe.each(WAYS)('the driver over a store %s', (how, open) => {
  const at = forAllTests(() => open());
  let store: Connection;
  let sockets: Socket[];
  const checkServerIdentity = vi.fn();

  /** A store with one connection for operations. */
  beforeEach(async () => {
    sockets = [];
    const { connect: begin } = Socket.prototype;
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
      sockets.push(this);
      return begin.apply(this, args as never);
    } as never);
    const log = createLogger('test', 'silent');
    store = await connectStore(at.uri, backend.dbName('closed'), log, undefined, {
      maxPoolSize: 1,
      heartbeatFrequencyMS: 500,
      checkServerIdentity,
    });
    await find();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
  });

  const find = () => store.collection('things').findOne({});

  it('passes on each server certificate, which the metrics use', async () => {
    const { tls, hosts } = store.getClient().options;
    const certified = new Set(tls ? hosts.map(({ host }) => host) : []);
    if (how === 'behind TLS') expect(certified).toEqual(new Set(['localhost']));
    await expect.poll(() => new Set(checkServerIdentity.mock.calls.map(([host]) => host))).toEqual(certified);
  });

  it('repeats a read on another socket when its socket was closed unnoticed', async () => {
    const count = sockets.length;
    for (const socket of sockets) socket.destroy();
    await find();
    expect(sockets.length).toBeGreaterThan(count);
  });

  it('ends a write when its socket closes before all is sent, as unavailable where it may not retry', async () => {
    // Which one is the pool's is seen when it has more to send than it takes.
    for (const socket of sockets) socket.cork();
    const text = 'x'.repeat(100_000);
    const writing = store.collection('things').insertOne({ text });
    const ended = writing.then(
      () => true,
      (err: unknown) => isStoreUnavailable(err),
    );
    const full = () => sockets.find(({ writableNeedDrain }) => writableNeedDrain);
    await expect.poll(full).toBeDefined();
    full()?.destroy();
    for (const socket of sockets) socket.uncork();
    expect(await ended).toBe(true);
    await find();
  });

  const next = (event: 'serverHeartbeatStarted' | 'serverHeartbeatFailed' | 'serverHeartbeatSucceeded') =>
    new Promise((resolve) => store.getClient().once(event, resolve));

  it('fails a heartbeat on a socket that was closed unnoticed, and others follow', async () => {
    const failure = next('serverHeartbeatFailed');
    // The event comes before the driver looks at its connection. A store of several servers has one for the heartbeats of each.
    store.getClient().once('serverHeartbeatStarted', () => {
      for (const socket of sockets) socket.destroy();
    });
    await failure;
    await next('serverHeartbeatSucceeded');
    await find();
  });

  /** Begun since the call at each server of the store. */
  const heartbeatOfEach = async () => {
    const servers = new Set(store.getClient().options.hosts.map(String));
    const begun = new Set<string>();
    store.getClient().on('serverHeartbeatStarted', ({ connectionId }) => begun.add(connectionId));
    await expect.poll(() => begun).toEqual(servers);
  };

  it('sends heartbeats that its watch receives', async () => {
    const watch = watchDriver(store.getClient(), new Map());
    for (let n = 1; n < 2 * STORE_SILENT_LOOKS_MAX; n += 1) {
      if (n % (STORE_SILENT_LOOKS_MAX - 1) === 0) await heartbeatOfEach();
      expect(watch.look()).toBeUndefined();
    }
  });
});
