import { RATE_LIMITS } from '@cord/contracts/limits';
import type { Route } from '@cord/contracts/openapi';
import { operation } from '@cord/contracts/openapi';
import { FRESH_SIGN_IN_MS } from '@cord/contracts/rules/timings';
import { describe, expect, it, vi } from 'vitest';
import { opsUrlOf } from '../ops-port.js';
import { admin, fails, freshOn, freshWrite, guess, list, mine, save, write } from '../test/http-endpoints.js';
import { ORIGIN, startHttpFixture } from '../test/http-fixture.js';
import { call, randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';

const fixture = forAllTests(() => startHttpFixture());

describe('who may call', () => {
  it('without a session 401; another user 403; oneself 200', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, mine, { params: { id: userId } })).status).toBe(401);
    expect((await call(fixture.url, mine, { params: { id: randomId() }, token })).status).toBe(403);
    expect((await call(fixture.url, mine, { params: { id: userId }, token })).body).toEqual({ id: userId });
    expect((await call(fixture.url, mine, { params: { id: 'x' }, token })).status).toBe(400);
  });

  it('a body that names another user is 403; one without a user is the caller', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, write, { token, body: { userId: randomId() } })).status).toBe(403);
    expect((await call(fixture.url, write, { token, body: { userId } })).status).toBe(200);
    expect((await call(fixture.url, write, { token })).status).toBe(200);
  });

  it('only an admin passes an admin route, and a role holds within a second', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, admin, { token })).status).toBe(403);
    await fixture.signer.state.setRoles(userId, ['admin']);
    await expect.poll(async () => (await call(fixture.url, admin, { token })).status, { timeout: 1_000 }).toBe(200);
    await fixture.signer.state.setRoles(userId, []);
    await expect.poll(async () => (await call(fixture.url, admin, { token })).status, { timeout: 1_000 }).toBe(403);
  });

  it('a public call with a session that does not hold is anonymous', async () => {
    expect((await call(fixture.url, list, { token: 'a.b.c' })).body).toMatchObject({ user: null });
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, list, { token })).body).toMatchObject({ user: userId });
  });

  it('registering a public endpoint as one with a user, or the other way, is refused at the start', () => {
    expect(() => fixture.http.route(list, async () => ({ limit: 1, ip: '', user: null }))).toThrow(TypeError);
    expect(() => fixture.http.publicRoute(mine, async () => ({ id: '' }))).toThrow(TypeError);
  });
});

describe('writes by cookie', () => {
  const writeWith = async (headers: Record<string, string>, token?: string) => {
    const cookie = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    return (
      await call(fixture.url, write, {
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
    const token = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    expect(await writeWith({}, token)).toBe(200);
    expect(await writeWith({ Origin: ORIGIN }, 'wrong')).toBe(401);
  });

  it('reads by cookie need no origin', async () => {
    const userId = randomId();
    const cookie = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect(
      (await call(fixture.url, mine, { params: { id: userId }, headers: { Cookie: `cord=${cookie}` } })).status,
    ).toBe(200);
  });
});

describe('what wants a fresh sign-in', () => {
  it('is 403 once the sign-in is older than 10 minutes, of some calls by their body', async () => {
    const userId = randomId();
    const sign = (ageMs: number) => fixture.signer.sign(userId, { nowMs: fixture.clock.now() - ageMs });
    const outcome = async (endpoint: typeof freshWrite | typeof freshOn, on: boolean, token: string) => {
      const { status, problem } = await call(fixture.url, endpoint, { token, body: { on } });
      return status === 200 ? status : problem.type;
    };
    const fresh = await sign(FRESH_SIGN_IN_MS);
    expect(await outcome(freshWrite, false, fresh)).toBe(200);
    expect(await outcome(freshOn, true, fresh)).toBe(200);
    const old = await sign(FRESH_SIGN_IN_MS + 1);
    expect(await outcome(freshWrite, false, old)).toBe('sign-in-too-old');
    expect(await outcome(freshOn, true, old)).toBe('sign-in-too-old');
    expect(await outcome(freshOn, false, old)).toBe(200);
  });
});

describe('while revocations may be missing', () => {
  it('writes are 503 with Retry-After after 30 s, reads go on, and what only credits the own account', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    const real = performance.now.bind(performance);
    const time = vi.spyOn(performance, 'now').mockImplementation(() => real() + 31_000);
    const written = await call(fixture.url, write, { token });
    expect([written.status, written.problem.type]).toEqual([503, 'session-state-stale']);
    expect(Number(written.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(fixture.url, mine, { params: { id: userId }, token })).status).toBe(200);
    expect((await call(fixture.url, save, { token })).status).toBe(200);
    time.mockRestore();
    expect((await call(fixture.url, write, { token })).status).toBe(200);
  });

  it('what admins see is 503 too: the role may have been taken', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    await fixture.signer.state.setRoles(userId, ['admin']);
    await expect.poll(async () => (await call(fixture.url, admin, { token })).status).toBe(200);
    const real = performance.now.bind(performance);
    const time = vi.spyOn(performance, 'now').mockImplementation(() => real() + 31_000);
    const seen = await call(fixture.url, admin, { token });
    time.mockRestore();
    expect([seen.status, seen.problem.type]).toEqual([503, 'session-state-stale']);
  });
});

describe('limits', () => {
  it('by address and route: the eleventh guess in a minute is 429 with Retry-After', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.77' };
    for (let n = 0; n < 10; n++) expect((await call(fixture.url, guess, { headers: from })).status).toBe(200);
    const { status, headers, problem } = await call(fixture.url, guess, { headers: from });
    expect([status, problem.type]).toEqual([429, 'too-many-requests']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(fixture.url, guess, { headers: { 'X-Forwarded-For': '203.0.113.78' } })).status).toBe(200);
    const userToken = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, guess, { headers: from, token: userToken })).status).toBe(200);
  });

  it('of streams by user: the eleventh in a minute is 429, and another user begins one', async () => {
    const begin = async (userId: string) => {
      const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
      return (await fetch(`${fixture.url}/api/stream`, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    const userId = randomId();
    for (let n = 0; n < 10; n++) expect(await begin(userId)).toBe(204);
    expect([await begin(userId), await begin(randomId())]).toEqual([429, 204]);
  });

  it('the client address is the right-most entry that is no trusted proxy', async () => {
    const ip = async (forwarded: string) =>
      (await call(fixture.url, list, { headers: { 'X-Forwarded-For': forwarded } })).body.ip;
    expect(await ip('203.0.113.9')).toBe('203.0.113.9');
    expect(await ip('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
    expect(await ip('10.1.2.3')).toBe('10.1.2.3');
    expect((await call(fixture.url, list)).body.ip).toBe('127.0.0.1');
  });
});

describe('what stands on the port of operations', () => {
  it('health, readiness and figures', async () => {
    await call(fixture.url, list);
    expect((await fetch(`${opsUrlOf(fixture.direct)}/livez`)).status).toBe(200);
    expect((await fetch(`${opsUrlOf(fixture.direct)}/healthz`)).status).toBe(200);
    expect((await fetch(`${opsUrlOf(fixture.direct)}/readyz`)).status).toBe(200);
    const text = await (await fetch(`${opsUrlOf(fixture.direct)}/metrics`)).text();
    expect(text).toMatch(
      /http_server_request_duration_seconds_count\{service="test",method="GET",route="t.list",status="200"\} \d/,
    );
    expect((await fetch(`${opsUrlOf(fixture.direct)}/dev/clock`)).status).toBe(404);
  });

  it('its own routes, each with its part of the API document', async () => {
    const { routes } = (await (await fetch(`${opsUrlOf(fixture.direct)}/routes`)).json()) as { routes: Route[] };
    expect(routes).toContainEqual({ method: list.method, path: list.path, docs: operation(list) });
    expect(routes.find(({ path }) => path === mine.path)?.docs).toMatchObject({ operationId: mine.id });
  });

  it('the lines of a call have its request and its trace', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await call(fixture.url, fails, { headers: { traceparent, 'X-Request-Id': 'request-of-a-test' } });
    await call(fixture.url, write, {});
    const own = fixture.logged
      .map((line) => JSON.parse(line))
      .filter(({ requestId }) => requestId === 'request-of-a-test');
    expect(own.map(({ msg }) => msg)).toEqual(['a request failed', 'request']);
    expect(own.map(({ traceId }) => traceId)).toEqual(Array(2).fill('0af7651916cd43dd8448eb211c80319c'));
  });

  it('what anybody may have refused as often as they like is no line at info', async () => {
    const requestId = 'refused-again-and-again';
    const headers = { 'X-Request-Id': requestId };
    const token = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, mine, { params: { id: randomId() }, headers })).status).toBe(401);
    expect((await call(fixture.url, { ...list, method: 'DELETE' }, { headers })).status).toBe(405);
    const guesses = Array.from({ length: RATE_LIMITS.guess.points + 1 }, () =>
      call(fixture.url, guess, { token, headers }),
    );
    expect((await Promise.all(guesses)).map(({ status }) => status)).toContain(429);
    expect((await call(fixture.url, mine, { params: { id: 'x' }, token, headers })).status).toBe(400);
    const lines = fixture.logged.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
    const statusesAt = (level: string) => [
      ...new Set(lines.filter((line) => line.level === level).map(({ status }) => status)),
    ];
    expect(statusesAt('info')).toEqual([400]);
    expect(statusesAt('debug')).toEqual(expect.arrayContaining([401, 405, 429]));
  });

  it('no token or cookie ever stands in the log', async () => {
    const token = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    await call(fixture.url, write, { token, body: { userId: 5 } });
    await call(fixture.url, write, { cookie: token, body: {} });
    expect(fixture.logged.join('')).not.toContain(token);
  });
});
