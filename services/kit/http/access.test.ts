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

describe('access to a call', () => {
  it('is 401 without a session, 403 for another user and 200 for oneself', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, mine, { params: { id: userId } })).status).toBe(401);
    expect((await call(fixture.url, mine, { params: { id: randomId() }, token })).status).toBe(403);
    expect((await call(fixture.url, mine, { params: { id: userId }, token })).body).toEqual({ id: userId });
    expect((await call(fixture.url, mine, { params: { id: 'x' }, token })).status).toBe(400);
  });

  it('is 403 when the body names another user, and 200 when it names the caller or nobody', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, write, { token, body: { userId: randomId() } })).status).toBe(403);
    expect((await call(fixture.url, write, { token, body: { userId } })).status).toBe(200);
    expect((await call(fixture.url, write, { token })).status).toBe(200);
  });

  it('to an admin route needs the role, which takes effect within a second', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, admin, { token })).status).toBe(403);
    await fixture.signer.state.setRoles(userId, ['admin']);
    await expect.poll(async () => (await call(fixture.url, admin, { token })).status, { timeout: 1_000 }).toBe(200);
    await fixture.signer.state.setRoles(userId, []);
    await expect.poll(async () => (await call(fixture.url, admin, { token })).status, { timeout: 1_000 }).toBe(403);
  });

  it('is anonymous for a public call with an invalid session', async () => {
    expect((await call(fixture.url, list, { token: 'a.b.c' })).body).toMatchObject({ user: null });
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, list, { token })).body).toMatchObject({ user: userId });
  });

  it('cannot be registered as public for an endpoint with a user, nor the other way round', () => {
    expect(() => fixture.http.route(list, async () => ({ limit: 1, ip: '', user: null }))).toThrow(TypeError);
    expect(() => fixture.http.publicRoute(mine, async () => ({ id: '' }))).toThrow(TypeError);
  });
});

describe('a call by cookie', () => {
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

  it('may write from our own pages', async () => {
    expect(await writeWith({ Origin: ORIGIN })).toBe(200);
    expect(await writeWith({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
  });

  it('gets 403 for a write from any other or an unknown origin', async () => {
    expect(await writeWith({})).toBe(403);
    expect(await writeWith({ Origin: 'https://evil.example' })).toBe(403);
    expect(await writeWith({ Origin: 'null' })).toBe(403);
    expect(await writeWith({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(403);
    expect(await writeWith({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await writeWith({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
  });

  it('uses a bearer token when it has one too, and then needs no origin', async () => {
    const token = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    expect(await writeWith({}, token)).toBe(200);
    expect(await writeWith({ Origin: ORIGIN }, 'wrong')).toBe(401);
  });

  it('needs no origin to read', async () => {
    const userId = randomId();
    const cookie = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect(
      (await call(fixture.url, mine, { params: { id: userId }, headers: { Cookie: `cord=${cookie}` } })).status,
    ).toBe(200);
  });
});

describe('a call that requires a fresh sign-in', () => {
  it('is refused once the sign-in is older than 10 minutes, for some calls depending on their body', async () => {
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
  it('writes get 503 with Retry-After after 30 s, while reads and credits to the own account continue', async () => {
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

  it('admin reads get 503 too, as the role may have been revoked', async () => {
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

describe('rate limits', () => {
  it('per address and route respond 429 with Retry-After to the eleventh guess in a minute', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.77' };
    for (let n = 0; n < 10; n++) expect((await call(fixture.url, guess, { headers: from })).status).toBe(200);
    const { status, headers, problem } = await call(fixture.url, guess, { headers: from });
    expect([status, problem.type]).toEqual([429, 'too-many-requests']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(fixture.url, guess, { headers: { 'X-Forwarded-For': '203.0.113.78' } })).status).toBe(200);
    const userToken = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    expect((await call(fixture.url, guess, { headers: from, token: userToken })).status).toBe(200);
  });

  it('per user respond 429 to the eleventh stream in a minute, while another user can start one', async () => {
    const begin = async (userId: string) => {
      const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
      return (await fetch(`${fixture.url}/api/stream`, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    const userId = randomId();
    for (let n = 0; n < 10; n++) expect(await begin(userId)).toBe(204);
    expect([await begin(userId), await begin(randomId())]).toEqual([429, 204]);
  });

  it('count by the right-most forwarded address that is not a trusted proxy', async () => {
    const ip = async (forwarded: string) =>
      (await call(fixture.url, list, { headers: { 'X-Forwarded-For': forwarded } })).body.ip;
    expect(await ip('203.0.113.9')).toBe('203.0.113.9');
    expect(await ip('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
    expect(await ip('10.1.2.3')).toBe('10.1.2.3');
    expect((await call(fixture.url, list)).body.ip).toBe('127.0.0.1');
  });
});

describe('the operations of a service', () => {
  it('serve health, readiness and metrics', async () => {
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

  it('serve its routes, each with its part of the API document', async () => {
    const { routes } = (await (await fetch(`${opsUrlOf(fixture.direct)}/routes`)).json()) as { routes: Route[] };
    expect(routes).toContainEqual({ method: list.method, path: list.path, docs: operation(list) });
    expect(routes.find(({ path }) => path === mine.path)?.docs).toMatchObject({ operationId: mine.id });
  });

  it('log each line of a call with its request id and its trace id', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await call(fixture.url, fails, { headers: { traceparent, 'X-Request-Id': 'request-of-a-test' } });
    await call(fixture.url, write, {});
    const own = fixture.logged
      .map((line) => JSON.parse(line))
      .filter(({ requestId }) => requestId === 'request-of-a-test');
    expect(own.map(({ msg }) => msg)).toEqual(['a request failed', 'request']);
    expect(own.map(({ traceId }) => traceId)).toEqual(Array(2).fill('0af7651916cd43dd8448eb211c80319c'));
  });

  it('log 401, 405 and 429 at debug, not at info', async () => {
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

  it('never log a token or a cookie', async () => {
    const token = await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() });
    await call(fixture.url, write, { token, body: { userId: 5 } });
    await call(fixture.url, write, { cookie: token, body: {} });
    expect(fixture.logged.join('')).not.toContain(token);
  });
});
