import type { RequestListener } from 'node:http';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, expect, test } from 'vitest';
import { HEAD_BYTES_MAX } from '../front.js';
import { type Call, origin, upstream } from './origin.js';
import { startSessions } from './sessions.js';

const USER = 'a'.repeat(32);
const sessions = forAllTests(startSessions);
let token: string;
beforeAll(async () => {
  token = await sessions.tokenOf(USER);
});
const post = (headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  body: '{"n":1}',
  headers: { 'content-type': 'application/json', ...headers },
});
const breaks: RequestListener = (incoming) => void incoming.on('data', () => incoming.socket.destroy());
const doesNotTake: RequestListener = (_, response) =>
  response.writeHead(503, { 'retry-after': '1', 'x-cord-not-taken': '1' }).end('{"type":"starting"}');

/** Starts two replicas of tasks: one with this response, which gets the call first, and a healthy one. */
async function start(answer: RequestListener, readyz?: RequestListener) {
  let calls = 0;
  const counted: RequestListener = (incoming, response) => {
    calls += 1;
    answer(incoming, response);
  };
  const [one, other] = [await upstream(counted, undefined, readyz), await upstream()];
  const site = await origin({ upstreams: { tasks: [one.url, other.url] }, ...sessions.given });
  return { one, other, site, calls: () => calls };
}

test('a signed-in POST with an Idempotency-Key is retried at another replica after its connection broke', async () => {
  const cookie = { cookie: `a=b; cord=${token}`, 'sec-fetch-site': 'same-origin' };
  for (const who of [{ authorization: `Bearer ${token}` }, cookie]) {
    const { other, site } = await start(breaks);
    const answer = await site.call('/api/tasks', post({ ...who, 'idempotency-key': 'once' }));
    expect([answer.status, other.seen.map(({ body }) => body)]).toEqual([200, ['{"n":1}']]);
  }
});

test.each([
  ['without a key', () => post({ authorization: `Bearer ${token}` })],
  ['of nobody, for whom no key counts', () => post({ 'idempotency-key': 'once' })],
  ['with a session that does not hold', () => post({ authorization: `Bearer ${token}x`, 'idempotency-key': 'once' })],
  [
    'that is no POST',
    () => ({ ...post({ authorization: `Bearer ${token}`, 'idempotency-key': 'once' }), method: 'PUT' }),
  ],
])('a call is not retried after its connection broke: one %s', async (_what, call) => {
  const { other, site, calls } = await start(breaks);
  const answer = await site.call('/api/tasks', call());
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
  expect([calls(), other.seen]).toEqual([1, []]);
});

test('a public call of a signed-in user is not retried after its connection broke, as no response is stored for it', async () => {
  let calls = 0;
  const counted: RequestListener = (incoming, response) => {
    calls += 1;
    breaks(incoming, response);
  };
  const [one, other] = [await upstream(counted), await upstream(counted)];
  const site = await origin({ upstreams: { auth: [one.url, other.url] }, ...sessions.given });
  const call = () => post({ authorization: `Bearer ${token}`, 'idempotency-key': 'once' });
  expect((await site.call('/api/auth/discord/callback', call())).status).toBe(503);
  expect(calls).toBe(1);
  expect((await site.call('/api/auth/me/welcome', call())).status).toBe(503);
  expect(calls).toBe(3);
});

test('a call that a replica has not taken is retried at another one, whatever its method; alone, its 503 is returned', async () => {
  const { one, other, site } = await start(doesNotTake);
  expect((await site.call('/api/tasks', post())).status).toBe(200);
  expect(other.seen.map(({ body }) => body)).toEqual(['{"n":1}']);
  const lonely = await origin({ upstreams: { tasks: [one.url] } });
  const alone = await lonely.call('/api/tasks', post());
  expect([alone.status, alone.headers['retry-after'], alone.text]).toEqual([503, '1', '{"type":"starting"}']);
  expect(alone.headers['x-cord-not-taken']).toBeUndefined();
});

test('a replica that closes its connection is draining, and the next calls go to another one', async () => {
  const leaving: RequestListener = (_, response) => response.writeHead(200, { connection: 'close' }).end('{}');
  // Its response arrives before that of the next probe.
  const { other, site, calls } = await start(leaving, () => undefined);
  const first = await site.call('/api/tasks');
  expect(first.headers.connection).not.toBe('close');
  for (let n = 0; n < 4; n += 1) await site.call('/api/tasks');
  expect([calls(), other.seen.length]).toEqual([1, 4]);
});

test.each(['400 Bad Request', '408 Request Timeout', '431 Request Header Fields Too Large'])(
  'a replica that rejects a call with %s stays in rotation',
  async (status) => {
    // As written by Node's server, which closes the connection of an invalid request.
    const refuses: RequestListener = ({ socket }) => void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    const { other, site, calls } = await start(refuses, () => undefined);
    for (let n = 0; n < 4; n += 1) await site.call('/api/tasks');
    expect([calls(), other.seen.length]).toEqual([2, 2]);
  },
);

test('a call that the gateway accepts is never too large for a replica, and a larger one gets 431', async () => {
  const replica = await upstream();
  const site = await origin({ upstreams: { tasks: [replica.url] }, ...sessions.given });
  // Target, header names and values count; the client's own headers add about 100 bytes.
  const authorization = `Bearer ${token}`;
  const room = HEAD_BYTES_MAX - authorization.length - 200;
  const passing = [
    { authorization, 'x-one': 'a'.repeat(room) },
    // Joined in one line they are longer than before.
    { authorization, a: [...Array(900).fill(''), 'a'.repeat(room - 900)] },
  ];
  for (const headers of passing) expect((await site.call('/api/tasks', { headers })).status).toBe(200);
  expect((await site.call('/api/tasks', { headers: { 'x-one': 'a'.repeat(HEAD_BYTES_MAX) } })).status).toBe(431);
  expect(replica.seen).toHaveLength(passing.length);
});

test('if no replica is ready, a draining one serves calls and a starting one does not', async () => {
  const unready = (why: string): RequestListener => {
    return (_, response) => response.writeHead(503).end(JSON.stringify({ status: 'unready', failing: [why] }));
  };
  const answers: RequestListener = (_, response) => response.end('{}');
  const starting = await upstream(doesNotTake, 0, unready('starting'));
  const draining = await upstream(answers, 1, unready('draining'));
  const site = await origin({ upstreams: { tasks: [starting.url, draining.url] } });
  await site.probed();
  const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await site.call('/api/tasks', post())).status));
  expect(statuses).toEqual([200, 200, 200, 200]);
});
