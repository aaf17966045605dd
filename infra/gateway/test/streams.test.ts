import { writeFile } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { LIVE_COMMENT_MS } from '@cord/contracts/live/kinds';
import { folderStore } from '@cord/deploy/store/folder-store';
import { registryReader } from '@cord/deploy/store/registry';
import type { SessionUser } from '@cord/kit/caller';
import { systemClock } from '@cord/kit/clock';
import { createLogger } from '@cord/kit/log';
import { type EventReader, openStream } from '@cord/kit/testing/event-reader';
import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { TEST_GATEWAY_KEY } from '@cord/kit/testing/signer';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { type Callers, openCallers } from '../api/callers.js';
import { eventStreams, STREAM_BOUNDS } from '../api/streams.js';
import { Upstreams } from '../api/upstreams.js';
import type { UpstreamName } from '../config.js';
import { followReleases } from '../release.js';
import { line, lineFile, type origin as Origin, origin, upstream } from './origin.js';
import { startSessions } from './sessions.js';

/** Starts a replica of notices that begins each stream with `text` and keeps the responses. */
async function notices(text = ': hello\n\n') {
  const held: ServerResponse[] = [];
  const one = await upstream((request, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    response.write(text);
    held.push(response);
    request.once('close', () => held.splice(held.indexOf(response), 1));
  });
  return { ...one, held };
}

/** Opens the stream of a gateway, by its host name. */
const streamOf = (port: number, host: string, token?: string) => openStream(`http://127.0.0.1:${port}`, token, host);
const open = async (site: Awaited<ReturnType<typeof Origin>>, n = 1): Promise<EventReader[]> =>
  Promise.all(Array.from({ length: n }, () => streamOf(site.port, new URL(site.publicOrigin).host)));
const text = (stream: EventReader) => expect.poll(() => stream.text());

test('a stream is passed on as it arrives, uncompressed, and is closed when its client leaves', async () => {
  const replica = await notices();
  const site = await origin({ upstreams: { notices: [replica.url] } });
  const [stream] = (await open(site)) as [EventReader];
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  expect(stream.headers['content-encoding']).toBeUndefined();
  await text(stream).toBe(': hello\n\n');
  replica.held[0]?.write('data: 1\n\n');
  await text(stream).toBe(': hello\n\ndata: 1\n\n');
  stream.close();
  await expect.poll(() => replica.held.length).toBe(0);
});

test('600 streams run side by side and do not block other calls', async () => {
  const [replica, auth] = [await notices(), await upstream()];
  const site = await origin({ upstreams: { notices: [replica.url], auth: [auth.url] } });
  const streams = await open(site, 600);
  await expect.poll(() => replica.held.length).toBe(600);
  expect((await site.call('/api/auth/me')).status).toBe(200);
  for (const stream of streams) stream.close();
});

test('a replica that is down is skipped, and a stream that a replica has begun and ended is not retried', async () => {
  const gone = await notices();
  await gone.close();
  const replica = await notices();
  const site = await origin({ upstreams: { notices: [gone.url, replica.url] } });
  const streams = await open(site, 4);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const response of [...replica.held]) response.end('retry: 700\n\n');
  for (const stream of streams) {
    await text(stream).toBe(': hello\n\nretry: 700\n\n');
    await expect.poll(stream.isEnded).toBe(true);
  }
});

test('a rejection of the service is passed on; without a replica the response is 503 as problem details', async () => {
  const refusing = await upstream((_request, response) =>
    response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"type":"sign-in-needed"}'),
  );
  const site = await origin({ upstreams: { notices: [refusing.url] } });
  const refused = await site.call('/api/events');
  expect([refused.status, refused.json().type]).toEqual([401, 'sign-in-needed']);
  const empty = await origin({ upstreams: {} });
  const none = await empty.call('/api/events');
  expect([none.status, none.json().type, none.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
});

test('30 rejected calls use one connection to the replica, and cause no warning of a leak', async () => {
  const ports = new Set<number | undefined>();
  const refusing = await upstream((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(401).end();
  });
  const site = await origin({ upstreams: { notices: [refusing.url] } });
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  for (let tries = 0; tries < 30; tries += 1) expect((await site.call('/api/events')).status).toBe(401);
  process.off('warning', note);
  expect([ports.size, warnings]).toEqual([1, []]);
});

/** Starts the live stream alone, in front of one replica of notices. */
async function streamsAlone(
  replica: string,
  given: { callers?: Callers; idleMs?: number; highWaterMark?: number } = {},
): Promise<{ port: number; server: Server; streams: ReturnType<typeof eventStreams> }> {
  const config = { publicOrigin: new URL('http://localhost'), trustedProxies: () => false };
  const log = createLogger('gateway', 'silent');
  const edge = { ...config, gatewayKey: TEST_GATEWAY_KEY, rateLimitScale: 0 };
  const { callers = openCallers(edge, Promise.resolve(null), systemClock(), log), idleMs, highWaterMark } = given;
  const calls = { upstreams: new Upstreams<UpstreamName>({ notices: [replica] }), callers, config };
  const bounds = { ...STREAM_BOUNDS, ...(idleMs && { idleMs }) };
  const streams = eventStreams('/api/events', 'notices', calls, bounds);
  const app = new Koa();
  app.use((ctx, next) => {
    Object.assign(ctx.state, { requestId: 'of-this-test', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` });
    return next();
  });
  app.use(streams.middleware);
  const { port, server, stop } = await serveHttp(app.callback(), { ...(highWaterMark && { highWaterMark }) });
  onTestFinished(async () => {
    streams.close();
    await stop();
  });
  return { port, server, streams };
}

/** Opens a connection whose client controls each write and read. */
function rawClient(port: number, host: string, requests: number): Socket {
  const client = connect(port, '127.0.0.1');
  client.write(`GET /api/events HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(requests));
  onTestFinished(() => void client.destroy());
  return client;
}

test('a silent stream is closed on both sides, after more than twice the interval of comments', async () => {
  const replica = await notices();
  const gateway = await streamsAlone(replica.url, { idleMs: 200 });
  const stream = await streamOf(gateway.port, 'localhost');
  await text(stream).toBe(': hello\n\n');
  await expect.poll(stream.isEnded).toBe(true);
  await expect.poll(() => replica.held.length).toBe(0);
  expect(STREAM_BOUNDS.idleMs).toBeGreaterThan(2 * LIVE_COMMENT_MS);
});

test.each(['session', 'gateway'])(
  'a stream whose %s ends reads nothing more from its replica, even if its client does not read',
  async (what) => {
    const replica = await notices();
    let holds = true;
    const user = { id: '1'.repeat(32) } as SessionUser;
    const callers = { identify: async () => ({ user }), isStillValid: () => holds } as unknown as Callers;
    // The data is buffered in the gateway, and the replica is not paused: only the client's connection is full.
    const gateway = await streamsAlone(replica.url, { callers, highWaterMark: 1 << 30 });
    rawClient(gateway.port, 'localhost', 1);
    await expect.poll(() => replica.held.length).toBe(1);
    const [held] = replica.held as [ServerResponse];
    await new Promise((resolve) => held.write(Buffer.alloc(32 << 20), resolve));
    if (what === 'session') holds = false;
    else gateway.streams.close();
    const writes = setInterval(() => held.write('data: 1\n\n'), 10);
    await expect.poll(() => replica.held.length).toBe(0);
    clearInterval(writes);
    expect(gateway.streams.size).toBe(0);
  },
);

test('a stream behind another one on its connection starts when that one has ended, and ends with its client', async () => {
  const replica = await notices();
  const site = await origin({ upstreams: { notices: [replica.url] } });
  const client = rawClient(site.port, new URL(site.publicOrigin).host, 3);
  await expect.poll(() => replica.held.length).toBe(1);
  replica.held[0]?.end('data: last of the first\n\n');
  let seen = '';
  client.setEncoding('utf8').on('data', (piece: string) => {
    seen += piece;
  });
  await expect.poll(() => seen.split(': hello').length).toBe(3);
  expect(seen.indexOf('last of the first')).toBeLessThan(seen.lastIndexOf(': hello'));
  expect(replica.held.length).toBe(1);
  client.destroy();
  await expect.poll(() => replica.held.length).toBe(0);
});

test('a client that leaves during the check of its session gets no stream, and the next client does', async () => {
  const replica = await notices();
  const checks: (() => void)[] = [];
  const identify = () => new Promise((resolve) => checks.push(() => resolve({ user: null })));
  const callers = { identify, isStillValid: () => true } as unknown as Callers;
  const gateway = await streamsAlone(replica.url, { callers });
  const gone = rawClient(gateway.port, 'localhost', 1);
  await expect.poll(() => checks.length).toBe(1);
  const connections = () => new Promise((resolve) => gateway.server.getConnections((_error, count) => resolve(count)));
  gone.destroy();
  await expect.poll(connections).toBe(0);
  checks[0]?.();
  const next = streamOf(gateway.port, 'localhost');
  await expect.poll(() => checks.length).toBe(2);
  checks[1]?.();
  await text(await next).toBe(': hello\n\n');
  expect(replica.held.length).toBe(1);
  expect(gateway.streams.size).toBe(1);
});

test('a HEAD request of the path is forwarded like other calls', async () => {
  const methods: unknown[] = [];
  const replica = await upstream((request, response) => {
    methods.push(request.method);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
  });
  const site = await origin({ upstreams: { notices: [replica.url] } });
  const { status, headers, text: body } = await site.call('/api/events', { method: 'HEAD' });
  expect([methods, status, headers['content-type'], body]).toEqual([['HEAD'], 200, 'text/event-stream', '']);
});

test('a gateway that stops closes streams between two events, with a retry time', async () => {
  const [whole, torn] = [await notices(), await notices('data: {"half"')];
  const sites = [whole, torn].map(async ({ url }) => await origin({ upstreams: { notices: [url] } }));
  const [first, second] = await Promise.all(sites);
  const [[one], [other]] = [await open(first as never), await open(second as never)] as [[EventReader], [EventReader]];
  await text(one).toBe(': hello\n\n');
  await text(other).toBe('data: {"half"');
  first?.stop();
  second?.stop();
  await text(one).toMatch(/^: hello\n\nretry: \d{3,5}\n\n$/);
  await expect.poll(() => [one.isEnded(), other.isEnded()]).toEqual([true, true]);
  expect(other.text()).toBe('data: {"half"');
});

test('a published release is announced once, and not at the first look', async () => {
  const site = await origin();
  let announced = 0;
  const errors: unknown[] = [];
  const releases = registryReader(folderStore(join(site.folder, 'store')));
  const onChange = () => {
    announced += 1;
  };
  const look = followReleases(releases, { error: (error: unknown) => void errors.push(error) } as never, { onChange });
  await look();
  await look();
  expect(announced).toBe(0);
  await writeFile(join(site.folder, 'store', lineFile(2)), '{');
  await look();
  await look();
  expect([announced, errors.length]).toEqual([1, 1]);
  await writeFile(join(site.folder, 'store', lineFile(3)), line('1.0.0-b'));
  await look();
  await look();
  expect([announced, errors.length]).toEqual([2, 1]);
});

test('a stream ends within a second of its session, or of all sessions of its user; other streams continue', async () => {
  const sessions = stopAfterTest(await startSessions());
  const replica = await notices();
  const site = await origin({ upstreams: { notices: [replica.url] }, ...sessions.given });
  const [ends, endsLater, stays] = ['1', '2', '3'].map((n) => n.repeat(32)) as [string, string, string];
  const openOf = async (userId: string) =>
    streamOf(site.port, `localhost:${site.port}`, await sessions.tokenOf(userId, userId));
  const [one, two, three] = [await openOf(ends), await openOf(endsLater), await openOf(stays)];
  expect([one.status, two.status, three.status]).toEqual([200, 200, 200]);
  await sessions.state.revokeSession(ends, Date.now());
  await expect.poll(one.isEnded, { timeout: 1_000 }).toBe(true);
  // The client does not reconnect by itself.
  expect(one.text()).not.toContain('retry');
  expect([two.isEnded(), three.isEnded()]).toEqual([false, false]);
  await sessions.state.revokeUser(endsLater, Date.now() + 1);
  await expect.poll(two.isEnded, { timeout: 1_000 }).toBe(true);
  expect(three.isEnded()).toBe(false);
  await expect.poll(() => replica.held.length).toBe(1);
});
