import { connect } from 'node:net';
import { endpoint, noContent } from '@cord/contracts/endpoint';
import { id128, idParams, wholeNumber } from '@cord/contracts/http/fields';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { baseConfig } from './config.js';
import { createHealth } from './health.js';
import { createHttp, type Http } from './http.js';
import { createLogger } from './log.js';
import { createMetrics } from './metrics.js';
import { refused } from './problem.js';
import { createRateLimits } from './rate-limit.js';
import { createSessionCheck, type SessionCheck } from './session.js';
import {
  badCalls,
  badInputFailures,
  call,
  createSigner,
  createTestClock,
  randomId,
  type Signer,
  startTestBackend,
  type TestBackend,
} from './testing/index.js';

const body = z.strictObject({
  name: z.string().max(10),
  nested: z.strictObject({ on: z.boolean() }).optional(),
  deep: z.unknown().optional(),
});
const base = { service: 'auth', summary: 'test' } as const;
const echo = endpoint({ ...base, id: 't.echo', method: 'POST', path: '/echo', access: 'public', body, response: body });
const list = endpoint({
  ...base,
  id: 't.list',
  method: 'GET',
  path: '/list',
  access: 'public',
  query: z.strictObject({ limit: wholeNumber(10) }),
  response: z.object({ limit: z.number(), ip: z.string(), user: z.string().nullable() }),
});
const mine = endpoint({
  ...base,
  id: 't.mine',
  method: 'GET',
  path: '/users/:id/mine',
  access: 'self',
  params: idParams,
  response: z.object({ id: id128 }),
});
const write = endpoint({
  ...base,
  id: 't.write',
  method: 'POST',
  path: '/write',
  access: 'self',
  body: z.strictObject({ userId: id128.optional() }),
  response: z.object({ ok: z.literal(true) }),
});
const admin = endpoint({
  ...base,
  id: 't.admin',
  method: 'GET',
  path: '/admin',
  access: 'admin',
  response: z.object({}),
});
const empty = endpoint({
  ...base,
  id: 't.empty',
  method: 'DELETE',
  path: '/empty',
  access: 'public',
  response: noContent,
  status: 204,
});
const leaky = endpoint({
  ...base,
  id: 't.leaky',
  method: 'GET',
  path: '/leaky',
  access: 'public',
  response: z.object({ a: z.number() }),
});
const wrong = endpoint({
  ...base,
  id: 't.wrong',
  method: 'GET',
  path: '/wrong',
  access: 'public',
  response: z.object({ a: z.number() }),
});
const fails = endpoint({
  ...base,
  id: 't.fails',
  method: 'GET',
  path: '/fails',
  access: 'public',
  response: z.object({}),
});
const rule = endpoint({
  ...base,
  id: 't.rule',
  method: 'GET',
  path: '/rule',
  access: 'public',
  response: z.object({}),
});
const guess = endpoint({
  ...base,
  id: 't.guess',
  method: 'POST',
  path: '/guess',
  access: 'public',
  response: z.object({}),
  rateClass: 'guess',
});
const accepted = endpoint({
  ...base,
  id: 't.accepted',
  method: 'POST',
  path: '/accepted',
  access: 'public',
  response: z.object({}),
});

const ORIGIN = 'http://localhost:8080';
const clock = createTestClock();
const logged: string[] = [];
const log = createLogger('test', 'debug', { write: (line: string) => void logged.push(line) });
let backend: TestBackend;
let session: SessionCheck;
let signer: Signer;
let http: Http;
let url: string;

beforeAll(async () => {
  backend = await startTestBackend({ store: false });
  signer = await createSigner(backend.nats);
  session = createSessionCheck({ clock, log });
  await session.start(backend.nats);
  const health = createHealth();
  const config = baseConfig.parse({ PUBLIC_ORIGIN: ORIGIN, TRUSTED_PROXIES: '10.0.0.0/8' });
  const rateLimits = createRateLimits({ scale: 1, clock });
  const metrics = createMetrics('test', { processFigures: false });
  http = createHttp({ service: 'test', log, clock, config, session, metrics, health, rateLimits });
  http.publicRoute(echo, async ({ body: sent }) => sent);
  http.publicRoute(list, async ({ query, ip, user }) => ({ limit: query.limit, ip, user: user?.id ?? null }));
  http.route(mine, async ({ params }) => ({ id: params.id }));
  http.route(write, async () => ({ ok: true as const }));
  http.route(admin, async () => ({}));
  http.publicRoute(empty, async () => undefined);
  http.publicRoute(leaky, async () => ({ a: 1, password: 'hunter2' }));
  http.publicRoute(wrong, async () => ({ a: 'x' }) as unknown as { a: number });
  http.publicRoute(fails, async () => {
    throw new Error('secret inside');
  });
  http.publicRoute(rule, async () => {
    throw refused('own-code', 'You cannot refer yourself.');
  });
  http.publicRoute(guess, async () => ({}));
  http.publicRoute(accepted, async (c) => {
    c.accepted();
    return {};
  });
  http.raw({ id: 't.raw', method: 'GET', path: '/go', rateClass: 'signIn' }, (ctx) => ctx.redirect('/there'));
  health.setReady();
  url = await http.listen();
});
afterAll(async () => {
  await http.close();
  await session.stop();
  await backend.stop();
});

const post = (path: string, text: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
  fetch(new URL(path, url), { method: 'POST', body: text, headers });

describe('the guard of requests', () => {
  it('an answer is JSON of what was parsed', async () => {
    const { status, body: answer, headers } = await call(url, echo, { body: { name: 'ok' } });
    expect([status, answer]).toEqual([200, { name: 'ok' }]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
  });

  it.each([
    ['a wrong type', { name: 5 }, 'name'],
    ['a missing field', {}, 'name'],
    ['a field that is too long', { name: 'x'.repeat(11) }, 'name'],
    ['an unknown field', { name: 'x', extra: 1 }, 'extra'],
    ['a nested field', { name: 'x', nested: { on: 'yes' } }, 'nested.on'],
    ['a constructor field', { name: 'x', constructor: {} }, 'constructor'],
    ['a list in place of an object', [], 'body'],
  ])('%s is 400 with the field named', async (_what, sent, path) => {
    const { status, problem, headers } = await call(url, echo, { body: sent });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(problem).toMatchObject({ type: 'bad-input', status: 400, success: false, requestId: expect.any(String) });
    expect(problem.errors?.map((error) => error.path)).toContain(path);
    expect(problem.error).toBe(problem.detail);
  });

  it('every bad field is named, not only the first', async () => {
    const { problem } = await call(url, echo, { body: { name: 5, nested: { on: 1 }, more: 1 } });
    expect(problem.errors?.map((error) => error.path).sort()).toEqual(['more', 'name', 'nested.on']);
  });

  it.each(['0', '-1', '1.5', 'ten', '101', '', '1e1', ' 5'])('limit=%j is 400 with limit named', async (limit) => {
    const { status, problem } = await call(url, list, { query: { limit } });
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.path).toBe('limit');
  });

  it('a repeated query field is 400', async () => {
    const answer = await fetch(new URL('/api/list?limit=1&limit=2', url));
    expect(answer.status).toBe(400);
  });

  it('text that is not JSON is 400; so is a bare value', async () => {
    for (const text of ['{', 'null', '5', '"x"', '{"name":"x"} trailing', '\u0000']) {
      const answer = await post('/api/echo', text);
      expect(answer.status, text).toBe(400);
      expect(await answer.json()).toMatchObject({ type: 'bad-input', success: false });
    }
  });

  it('another content type is 415, none at all too', async () => {
    expect((await post('/api/echo', 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(
      415,
    );
    expect((await post('/api/echo', '{"name":"x"}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect(
      (await post('/api/echo', '{"name":"x"}', { 'Content-Type': 'application/json; charset=nonsense' })).status,
    ).toBe(415);
    expect(
      (await post('/api/echo', 'zzz', { 'Content-Type': 'application/json', 'Content-Encoding': 'zip' })).status,
    ).toBe(415);
  });

  it('a body over 64 KiB is 413, announced or streamed', async () => {
    const large = JSON.stringify({ name: 'x', deep: 'y'.repeat(70_000) });
    expect((await post('/api/echo', large)).status).toBe(413);
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const answer = await fetch(new URL('/api/echo', url), {
      method: 'POST',
      body: streamed,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('nesting to 32 is taken, deeper is 400, however deep', async () => {
    const nested = (levels: number) => `{"name":"x","deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await post('/api/echo', nested(31))).status).toBe(200);
    expect((await post('/api/echo', nested(32))).status).toBe(400);
    expect((await post('/api/echo', nested(30_000))).status).toBe(400);
  });

  it('a __proto__ key changes nothing', async () => {
    const answer = await post('/api/echo', '{"name":"x","__proto__":{"polluted":true}}');
    expect(answer.status).toBe(400);
    const inside = await post('/api/echo', '{"name":"x","deep":{"a":{"__proto__":{"polluted":true}}}}');
    expect(inside.status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('a path that cannot be decoded is 400, an unknown one 404, a wrong method 405 with Allow', async () => {
    const headers = { Authorization: `Bearer ${await signer.sign(randomId(), { nowMs: clock.now() })}` };
    expect((await fetch(`${url}/api/users/%E0%A4%A/mine`, { headers })).status).toBe(400);
    expect((await fetch(`${url}/api/nothing`)).status).toBe(404);
    const wrongMethod = await fetch(`${url}/api/echo`, { method: 'PUT' });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toContain('POST');
  });

  it('bytes that are no HTTP end the connection, and the service lives', async () => {
    const { hostname, port } = new URL(url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'));
      socket
        .on('close', () => resolve())
        .on('data', () => undefined)
        .on('error', () => undefined);
    });
    expect((await call(url, list)).status).toBe(200);
  });
});

describe('bad input made from the schemas', () => {
  it('of every kind is refused with the field named', async () => {
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    expect(badCalls(echo, { body: { name: 'x' } }).length).toBeGreaterThan(25);
    expect(await badInputFailures(url, echo, { body: { name: 'x' } })).toEqual([]);
    expect(await badInputFailures(url, list, { query: { limit: '5' } })).toEqual([]);
    expect(await badInputFailures(url, mine, { params: { id: userId }, token })).toEqual([]);
    expect(await badInputFailures(url, write, { body: { userId }, token })).toEqual([]);
  });

  it('that a route lets pass, or refuses without naming the field, is told', async () => {
    const careless = { ...echo, body: z.strictObject({ name: z.number() }) };
    const failures = await badInputFailures(url, careless, { body: { name: 5 } });
    expect(failures).toContainEqual(expect.stringMatching(/^t\.echo, body name: "x": 200 in place of 400/));
    const other = { ...echo, body: z.strictObject({ title: z.string() }) };
    expect(await badInputFailures(url, other, { body: { title: 'x' } })).toContainEqual(
      expect.stringContaining('name'),
    );
  });
});

describe('while revocations may be missing', () => {
  it('writes are 503 with Retry-After after 30 s, reads go on', async () => {
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    const real = performance.now.bind(performance);
    const time = vi.spyOn(performance, 'now').mockImplementation(() => real() + 31_000);
    const written = await call(url, write, { token });
    expect([written.status, written.problem.type]).toEqual([503, 'session-state-stale']);
    expect(Number(written.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(url, mine, { params: { id: userId }, token })).status).toBe(200);
    time.mockRestore();
    expect((await call(url, write, { token })).status).toBe(200);
  });
});

describe('the guard of answers', () => {
  it('a field that the schema does not name does not leak', async () => {
    const { text } = await call(url, leaky);
    expect(JSON.parse(text)).toEqual({ a: 1 });
  });

  it('an answer that does not fit is a logged 500', async () => {
    const { status, problem } = await call(url, wrong);
    expect([status, problem.type]).toEqual([500, 'internal-error']);
    expect(logged.some((line) => line.includes('the answer of t.wrong does not fit'))).toBe(true);
  });

  it('an unexpected error is 500 and shows no inside; the log has it with the request id', async () => {
    const { status, text, problem } = await call(url, fails);
    expect(status).toBe(500);
    expect(text).not.toMatch(/secret inside|\.ts|at /);
    expect(logged.some((line) => line.includes('secret inside') && line.includes(problem.requestId))).toBe(true);
  });

  it('a refusal has its stable type and the text', async () => {
    const { status, problem } = await call(url, rule);
    expect(status).toBe(422);
    expect(problem).toMatchObject({
      type: 'own-code',
      title: 'Refused by a rule',
      error: 'You cannot refer yourself.',
    });
  });

  it('no content is 204 without a body; a pending credit is 202', async () => {
    const nothing = await call(url, empty);
    expect([nothing.status, nothing.text]).toEqual([204, '']);
    expect((await call(url, accepted)).status).toBe(202);
  });

  it('a harmless request id is kept, another is replaced', async () => {
    const kept = await call(url, list, { headers: { 'X-Request-Id': 'abc-12345' } });
    expect(kept.headers.get('x-request-id')).toBe('abc-12345');
    const replaced = await call(url, list, { headers: { 'X-Request-Id': '<script>' } });
    expect(replaced.headers.get('x-request-id')).not.toContain('<');
  });

  it('raw steps serve what is not JSON', async () => {
    const answer = await fetch(`${url}/api/go`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/there']);
  });
});

describe('who may call', () => {
  it('without a session 401; another user 403; oneself 200', async () => {
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    expect((await call(url, mine, { params: { id: userId } })).status).toBe(401);
    expect((await call(url, mine, { params: { id: randomId() }, token })).status).toBe(403);
    expect((await call(url, mine, { params: { id: userId }, token })).body).toEqual({ id: userId });
    expect((await call(url, mine, { params: { id: 'x' }, token })).status).toBe(400);
  });

  it('a body that names another user is 403; one that names nobody is oneself', async () => {
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    expect((await call(url, write, { token, body: { userId: randomId() } })).status).toBe(403);
    expect((await call(url, write, { token, body: { userId } })).status).toBe(200);
    expect((await call(url, write, { token })).status).toBe(200);
  });

  it('only an admin passes an admin route, and a role holds within a second', async () => {
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    expect((await call(url, admin, { token })).status).toBe(403);
    await signer.state.setRoles(userId, ['admin']);
    await expect.poll(async () => (await call(url, admin, { token })).status, { timeout: 1_000 }).toBe(200);
    await signer.state.setRoles(userId, []);
    await expect.poll(async () => (await call(url, admin, { token })).status, { timeout: 1_000 }).toBe(403);
  });

  it('a public call with a session that does not hold is anonymous', async () => {
    expect((await call(url, list, { token: 'a.b.c' })).body).toMatchObject({ user: null });
    const userId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now() });
    expect((await call(url, list, { token })).body).toMatchObject({ user: userId });
  });

  it('registering a public endpoint as one with a user, or the other way, is refused at the start', () => {
    expect(() => http.route(list, async () => ({ limit: 1, ip: '', user: null }))).toThrow(TypeError);
    expect(() => http.publicRoute(mine, async () => ({ id: '' }))).toThrow(TypeError);
  });
});

describe('writes by cookie', () => {
  const writeWith = async (headers: Record<string, string>, token?: string) => {
    const cookie = await signer.sign(randomId(), { nowMs: clock.now() });
    return (
      await call(url, write, {
        body: {},
        headers: { Cookie: `cord=${cookie}`, ...headers },
        ...(token ? { token } : {}),
      })
    ).status;
  };

  it('from our own pages are taken', async () => {
    expect(await writeWith({ Origin: ORIGIN })).toBe(200);
    expect(await writeWith({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
  });

  it('from anywhere else, or from nowhere known, are refused', async () => {
    expect(await writeWith({})).toBe(403);
    expect(await writeWith({ Origin: 'https://evil.example' })).toBe(403);
    expect(await writeWith({ Origin: 'null' })).toBe(403);
    expect(await writeWith({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(403);
    expect(await writeWith({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await writeWith({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
  });

  it('with a bearer too the bearer counts, and no origin is needed', async () => {
    const token = await signer.sign(randomId(), { nowMs: clock.now() });
    expect(await writeWith({}, token)).toBe(200);
    expect(await writeWith({ Origin: ORIGIN }, 'wrong')).toBe(401);
  });

  it('reads by cookie need no origin', async () => {
    const userId = randomId();
    const cookie = await signer.sign(userId, { nowMs: clock.now() });
    expect((await call(url, mine, { params: { id: userId }, headers: { Cookie: `cord=${cookie}` } })).status).toBe(200);
  });
});

describe('limits', () => {
  it('by address and route: the eleventh guess in a minute is 429 with Retry-After', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.77' };
    for (let n = 0; n < 10; n++) expect((await call(url, guess, { headers: from })).status).toBe(200);
    const { status, headers, problem } = await call(url, guess, { headers: from });
    expect([status, problem.type]).toEqual([429, 'too-many-requests']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(url, guess, { headers: { 'X-Forwarded-For': '203.0.113.78' } })).status).toBe(200);
    const userToken = await signer.sign(randomId(), { nowMs: clock.now() });
    expect((await call(url, guess, { headers: from, token: userToken })).status).toBe(200);
  });

  it('the client address is the right-most entry that is no trusted proxy', async () => {
    const ip = async (forwarded: string) =>
      (await call(url, list, { headers: { 'X-Forwarded-For': forwarded } })).body.ip;
    expect(await ip('203.0.113.9')).toBe('203.0.113.9');
    expect(await ip('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
    expect(await ip('10.1.2.3')).toBe('10.1.2.3');
    expect((await call(url, list)).body.ip).toBe('127.0.0.1');
  });
});

describe('what stands on the own port', () => {
  it('health, readiness and figures', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toMatch(/cord_http_seconds_count\{service="test",route="t.echo",status="200"\} \d/);
    expect((await fetch(`${url}/dev/clock`)).status).toBe(404);
  });

  it('no token or cookie ever stands in the log', async () => {
    const token = await signer.sign(randomId(), { nowMs: clock.now() });
    await call(url, write, { token, body: { userId: 5 } });
    await call(url, write, { cookie: token, body: {} });
    expect(logged.join('')).not.toContain(token);
  });
});
