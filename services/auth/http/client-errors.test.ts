import { clientErrorEndpoints as api } from '@cord/contracts/http/client-errors';
import { RATE_LIMITS } from '@cord/contracts/limits';
import { createLogger } from '@cord/kit/log';
import { opsUrlOf } from '@cord/kit/ops-port';
import { connectStore } from '@cord/kit/store';
import { call } from '@cord/kit/testing/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClientErrorStore } from '../store/client-errors.js';
import { eventually, meOf, startAuth, type TestAuth } from '../test/auth.js';

const DAY_MS = 86_400_000;

let auth: TestAuth;
let account: string;
let admin: string;

beforeAll(async () => {
  auth = await startAuth();
  account = await auth.discord.account({ username: 'boss' });
  await fetch(`${opsUrlOf(auth.url)}/dev/users/${await signIn()}/admin`, { method: 'POST' });
  await eventually(async () => (await list()).status === 200);
});
afterAll(() => auth.stop());

/** Signs the admin in. @returns the admin's id */
async function signIn(): Promise<string> {
  const browser = auth.browser();
  await browser.signIn({ account });
  admin = browser.cookies.get('cord') ?? '';
  return (await meOf(browser)).user.id;
}

const faultOf = (message: string, changes: object = {}) => ({
  message,
  module: 'mfe_tasks',
  part: 'tasks/tasks-card',
  versions: { shell: '1.0.0-a', sdk: '1.1.0', module: '1.0.0-b' },
  at: new Date(auth.clock.now()).toISOString(),
  ...changes,
});
const report = (body: unknown) => call(auth.url, api.report, { body });
const list = (query: Record<string, string | number> = {}) => call(auth.url, api.list, { token: admin, query });

describe('faults of the front end', () => {
  it('are taken without a sign-in, grouped, and listed for admins', async () => {
    const fault = faultOf('x is not a function', { stack: 'TypeError: x is not a function\n at card' });
    const visits = [{ module: 'mfe_tasks', version: '1.0.0-b', n: 3 }];
    expect((await report({ errors: [fault, fault], visits })).status).toBe(204);
    expect((await report({ errors: [fault] })).status).toBe(204);
    const { body } = await list();
    expect(body.errors).toEqual([
      {
        id: expect.any(String),
        message: 'x is not a function',
        stack: 'TypeError: x is not a function\n at card',
        module: 'mfe_tasks',
        part: 'tasks/tasks-card',
        versions: { shell: '1.0.0-a', sdk: '1.1.0', module: '1.0.0-b' },
        count: 3,
        firstAt: expect.any(String),
        lastAt: expect.any(String),
      },
    ]);
  });

  it('of the shell itself, and of a module whose version nobody knows, are taken too', async () => {
    const versions = { shell: '1.0.0-a', sdk: '1.1.0' };
    const { module: _m, part: _p, ...shells } = faultOf('the start failed', { versions });
    expect((await report({ errors: [shells, faultOf('no entry', { versions })] })).status).toBe(204);
    const listed = (await list()).body.errors.map(({ message, versions: of }) => [message, of.module]);
    expect(listed).toEqual(
      expect.arrayContaining([
        ['the start failed', null],
        ['no entry', null],
      ]),
    );
  });

  it('are listed page by page, the latest first', async () => {
    for (const name of ['one', 'two', 'three']) {
      await auth.clock.advance(1_000);
      await report({ errors: [faultOf(name)] });
    }
    const first = (await list({ limit: 2 })).body;
    expect(first.errors.map(({ message }) => message)).toEqual(['three', 'two']);
    const second = (await list({ limit: 2, cursor: first.nextCursor ?? '' })).body;
    expect(second.errors[0]?.message).toBe('one');
    const all = (await list({ limit: 100 })).body;
    expect(all.nextCursor).toBeNull();
    const ids = all.errors.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are gone after 7 days by the clock', async () => {
    await report({ errors: [faultOf('soon gone')] });
    await auth.clock.advance(6 * DAY_MS);
    const isListed = async () => (await list({ limit: 100 })).body.errors.some((each) => each.message === 'soon gone');
    expect(await isListed()).toBe(true);
    await auth.clock.advance(DAY_MS);
    await signIn();
    expect(await isListed()).toBe(false);
  });

  it('a message over 16 KB is 413, and a bad one names its field', async () => {
    const large = faultOf('x', { stack: 'y'.repeat(3_999) });
    expect((await report({ errors: Array.from({ length: 5 }, () => large) })).status).toBe(413);
    const { status, problem } = await report({ errors: [faultOf('x', { at: 'yesterday' })] });
    expect(status).toBe(400);
    expect(problem.errors?.map(({ path }) => path)).toEqual(['errors.0.at']);
    const cursor = await list({ cursor: 'nonsense' });
    expect(cursor.problem.errors?.map(({ path }) => path)).toEqual(['cursor']);
  });
});

it('one address may tell 30 times a minute, signed in or not', async () => {
  const limited = await auth.replica({ env: { RATE_LIMIT_SCALE: '1' } });
  const { points } = RATE_LIMITS.report;
  const send = (token?: string) => call(limited.url, api.report, { body: { errors: [] }, ...(token ? { token } : {}) });
  for (let sent = 0; sent < points; sent += 1) expect((await send(sent % 2 ? admin : undefined)).status).toBe(204);
  for (const token of [undefined, admin]) {
    const refused = await send(token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

describe('what anybody may send is bounded', () => {
  it('in the store a new kind finds no room once it is full; known ones are counted on', async () => {
    const log = createLogger('test', 'silent');
    const connection = await connectStore(auth.backend.mongodbUri, auth.backend.dbName('faults'), log);
    const store = createClientErrorStore(connection, { kindsMax: 1 });
    const fault = { stack: null, module: null, part: null, shell: '1', sdk: '1', moduleVersion: null };
    expect(await store.add({ ...fault, message: 'known' }, 1_000)).toBe(true);
    expect(await store.add({ ...fault, message: 'new' }, 1_000)).toBe(false);
    expect(await store.add({ ...fault, message: 'known' }, 2_000)).toBe(true);
    expect(await store.latest(2_000, 10, null)).toMatchObject([{ message: 'known', count: 2, lastAtMs: 2_000 }]);
    await store.removeExpired(2_000 + 7 * DAY_MS);
    expect(await store.add({ ...fault, message: 'new' }, 3_000)).toBe(true);
    // Expired and not cleaned up yet is gone all the same.
    expect(await store.latest(3_000 + 7 * DAY_MS, 10, null)).toEqual([]);
    await connection.destroy();
  });
});
