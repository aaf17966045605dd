import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accepted, echo, empty, fails, leaky, list, mine, rule, write, wrong } from '../test/http-endpoints.js';
import { startHttpFixture } from '../test/http-fixture.js';
import { badCalls, badInputFailures, call, randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';

const fixture = forAllTests(() => startHttpFixture());

const post = (path: string, text: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
  fetch(new URL(path, fixture.url), { method: 'POST', body: text, headers });

describe('the request guard', () => {
  it('responds with JSON of the parsed input', async () => {
    const { status, body: answer, headers } = await call(fixture.url, echo, { body: { name: 'ok' } });
    expect([status, answer]).toEqual([200, { name: 'ok' }]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,36}$/);
  });

  it.each([
    ['a wrong type', { name: 5 }, 'name'],
    ['a missing field', {}, 'name'],
    ['a field that is too long', { name: 'x'.repeat(11) }, 'name'],
    ['an unknown field', { name: 'x', extra: 1 }, 'extra'],
    ['a nested field', { name: 'x', nested: { on: 'yes' } }, 'nested.on'],
    ['a constructor field', { name: 'x', constructor: {} }, 'constructor'],
    ['a list in place of an object', [], 'body'],
  ])('%s gets 400 with the name of the field', async (_what, sent, path) => {
    const { status, problem, headers } = await call(fixture.url, echo, { body: sent });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(problem).toMatchObject({ type: 'bad-input', status: 400, success: false, requestId: expect.any(String) });
    expect(problem.errors?.map((error) => error.path)).toContain(path);
    expect(problem.error).toBe(problem.detail);
  });

  it('names every bad field, not only the first', async () => {
    const { problem } = await call(fixture.url, echo, { body: { name: 5, nested: { on: 1 }, more: 1 } });
    expect(problem.errors?.map((error) => error.path).sort()).toEqual(['more', 'name', 'nested.on']);
  });

  it('describes a bad field in the language that the reader accepts', async () => {
    const headers = { 'accept-language': 'de-AT' };
    const { problem } = await call(fixture.url, echo, { body: { name: 5, nested: { on: 1 }, more: 1 }, headers });
    const messages = new Map(problem.errors?.map(({ path, message }) => [path, message]));
    expect(messages.get('name')).toBe('fehlt oder hat den falschen Typ');
    expect(messages.get('more')).toBe('ist nicht bekannt');
  });

  it.each(['0', '-1', '1.5', 'ten', '101', '', '1e1', ' 5'])('limit=%j gets 400 that names limit', async (limit) => {
    const { status, problem } = await call(fixture.url, list, { query: { limit } });
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.path).toBe('limit');
  });

  it('a repeated query field gets 400', async () => {
    const answer = await fetch(new URL('/api/list?limit=1&limit=2', fixture.url));
    expect(answer.status).toBe(400);
  });

  it('text that is not JSON, or a bare value, gets 400', async () => {
    for (const text of ['{', 'null', '5', '"x"', '{"name":"x"} trailing', '\u0000']) {
      const answer = await post('/api/echo', text);
      expect(answer.status, text).toBe(400);
      expect(await answer.json()).toMatchObject({ type: 'bad-input', success: false });
    }
  });

  it('a body without a content type gets 415', async () => {
    // Bytes, because fetch gives text a content type.
    const answer = await fetch(new URL('/api/echo', fixture.url), {
      method: 'POST',
      body: new TextEncoder().encode('{"name":"x"}'),
    });
    expect(answer.status).toBe(415);
  });

  it('another content type, charset or encoding gets 415', async () => {
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

  it('a body over 64 KiB gets 413, with or without a content length', async () => {
    const large = JSON.stringify({ name: 'x', deep: 'y'.repeat(70_000) });
    expect((await post('/api/echo', large)).status).toBe(413);
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const answer = await fetch(new URL('/api/echo', fixture.url), {
      method: 'POST',
      body: streamed,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('nesting up to 32 levels is accepted, and anything deeper gets 400', async () => {
    const nested = (levels: number) => `{"name":"x","deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await post('/api/echo', nested(31))).status).toBe(200);
    expect((await post('/api/echo', nested(32))).status).toBe(400);
    expect((await post('/api/echo', nested(30_000))).status).toBe(400);
  });

  it('a __proto__ key gets 400 and changes nothing', async () => {
    const answer = await post('/api/echo', '{"name":"x","__proto__":{"polluted":true}}');
    expect(answer.status).toBe(400);
    const inside = await post('/api/echo', '{"name":"x","deep":{"a":{"__proto__":{"polluted":true}}}}');
    expect(inside.status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('an undecodable path gets 400, an unknown one 404, and a wrong method 405 with Allow', async () => {
    const headers = {
      Authorization: `Bearer ${await fixture.signer.sign(randomId(), { nowMs: fixture.clock.now() })}`,
    };
    expect((await fetch(`${fixture.url}/api/users/%E0%A4%A/mine`, { headers })).status).toBe(400);
    expect((await fetch(`${fixture.url}/api/nothing`)).status).toBe(404);
    const wrongMethod = await fetch(`${fixture.url}/api/echo`, { method: 'PUT' });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toContain('POST');
  });

  it('bytes that are not HTTP close the connection, and the service keeps running', async () => {
    const { hostname, port } = new URL(fixture.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'));
      socket
        .on('close', () => resolve())
        .on('data', () => undefined)
        .on('error', () => undefined);
    });
    expect((await call(fixture.url, list)).status).toBe(200);
  });
});

describe('bad input generated from the schemas', () => {
  it('is refused with the name of its field, whatever its kind', async () => {
    const userId = randomId();
    const token = await fixture.signer.sign(userId, { nowMs: fixture.clock.now() });
    expect(badCalls(echo, { body: { name: 'x' } }).length).toBeGreaterThan(25);
    expect(await badInputFailures(fixture.url, echo, { body: { name: 'x' } })).toEqual([]);
    expect(await badInputFailures(fixture.url, list, { query: { limit: '5' } })).toEqual([]);
    expect(await badInputFailures(fixture.url, mine, { params: { id: userId }, token })).toEqual([]);
    expect(await badInputFailures(fixture.url, write, { body: { userId }, token })).toEqual([]);
  });

  it('is reported when a route accepts it, or refuses it without naming the field', async () => {
    const careless = { ...echo, body: z.strictObject({ name: z.number() }) };
    const failures = await badInputFailures(fixture.url, careless, { body: { name: 5 } });
    expect(failures).toContainEqual(expect.stringMatching(/^t\.echo, body name: "x": 200 instead of 400/));
    const other = { ...echo, body: z.strictObject({ title: z.string() }) };
    expect(await badInputFailures(fixture.url, other, { body: { title: 'x' } })).toContainEqual(
      expect.stringContaining('name'),
    );
  });
});

describe('the response guard', () => {
  it('removes a field that the schema does not name', async () => {
    const { text } = await call(fixture.url, leaky);
    expect(JSON.parse(text)).toEqual({ a: 1 });
  });

  it('turns a response that does not fit into a logged 500', async () => {
    const { status, problem } = await call(fixture.url, wrong);
    expect([status, problem.type]).toEqual([500, 'internal-error']);
    expect(fixture.logged.some((line) => line.includes('the response of t.wrong does not match its schema'))).toBe(
      true,
    );
  });

  it('responds 500 to an unexpected error without internals, and logs it with the request id', async () => {
    const { status, text, problem } = await call(fixture.url, fails);
    expect(status).toBe(500);
    expect(text).not.toMatch(/secret inside|\.ts|at /);
    expect(fixture.logged.some((line) => line.includes('secret inside') && line.includes(problem.requestId))).toBe(
      true,
    );
  });

  it('responds to a refusal with its stable type and its text', async () => {
    const { status, problem } = await call(fixture.url, rule);
    expect(status).toBe(422);
    expect(problem).toMatchObject({
      type: 'own-code',
      title: 'Refused by a rule',
      error: 'You cannot refer yourself.',
    });
  });

  it('responds 204 without a body to no content, and 202 to a pending credit', async () => {
    const nothing = await call(fixture.url, empty);
    expect([nothing.status, nothing.text]).toEqual([204, '']);
    expect((await call(fixture.url, accepted)).status).toBe(202);
  });

  it('keeps a harmless request id, and replaces any other', async () => {
    const kept = await call(fixture.url, list, { headers: { 'X-Request-Id': 'abc-12345' } });
    expect(kept.headers.get('x-request-id')).toBe('abc-12345');
    const replaced = await call(fixture.url, list, { headers: { 'X-Request-Id': '<script>' } });
    expect(replaced.headers.get('x-request-id')).not.toContain('<');
  });

  it('lets raw steps serve content other than JSON', async () => {
    const answer = await fetch(`${fixture.url}/api/go`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/there']);
  });
});
