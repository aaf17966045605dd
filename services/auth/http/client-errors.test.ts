import { clientErrorEndpoints as api } from '@cord/contracts/http/client-errors';
import { RATE_LIMITS } from '@cord/contracts/limits';
import { createLogger } from '@cord/kit/log';
import { connectStore } from '@cord/kit/store';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClientErrors, type Reporter } from '../client-errors.js';
import { createClientErrorStore } from '../store/client-errors.js';
import { eventually, type Person, startAuth } from '../test/auth.js';

const DAY_MS = 86_400_000;

const auth = forAllTests(() => startAuth());
let admin: Person;

beforeAll(async () => {
  admin = await auth.signUp('boss');
  await auth.makeAdmin(admin);
  await eventually(async () => (await list()).status === 200);
});

const faultOf = (message: string, changes: object = {}) => ({
  message,
  module: 'mfe_tasks',
  part: 'tasks/tasks-card',
  versions: { shell: '1.0.0-a', sdk: '1.1.0', module: '1.0.0-b' },
  at: new Date(auth.clock.now()).toISOString(),
  ...changes,
});
const report = (body: unknown) => call(auth.url, api.report, { body });
const list = (query: Record<string, string | number> = {}) => call(auth.url, api.list, { token: admin.token, query });

describe('faults of the front end', () => {
  it('are accepted without a sign-in, grouped, and listed for admins', async () => {
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

  it('are accepted from the shell itself and from a module of unknown version', async () => {
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

  it('are listed page by page, latest first', async () => {
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

  it('expire after 7 days by the clock', async () => {
    await report({ errors: [faultOf('soon gone')] });
    await auth.clock.advance(6 * DAY_MS);
    const isListed = async () => (await list({ limit: 100 })).body.errors.some((each) => each.message === 'soon gone');
    expect(await isListed()).toBe(true);
    await auth.clock.advance(DAY_MS);
    admin = await auth.signIn(admin.account);
    expect(await isListed()).toBe(false);
  });

  it('a body over 16 KB gets 413, and an invalid one gets 400 with the field’s name', async () => {
    const large = faultOf('x', { stack: 'y'.repeat(3_999) });
    expect((await report({ errors: Array.from({ length: 5 }, () => large) })).status).toBe(413);
    const { status, problem } = await report({ errors: [faultOf('x', { at: 'yesterday' })] });
    expect(status).toBe(400);
    expect(problem.errors?.map(({ path }) => path)).toEqual(['errors.0.at']);
  });
});

it('an address can report 30 times a minute, signed in or not', async () => {
  const limited = await auth.replica({ env: { RATE_LIMIT_SCALE: '1' } });
  const { points } = RATE_LIMITS.report;
  const send = (token?: string) => call(limited.url, api.report, { body: { errors: [] }, ...(token ? { token } : {}) });
  for (let sent = 0; sent < points; sent += 1)
    expect((await send(sent % 2 ? admin.token : undefined)).status).toBe(204);
  for (const token of [undefined, admin.token]) {
    const refused = await send(token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

describe('the bounds of what anybody can send', () => {
  const fault = { stack: null, module: null, part: null, shell: '1', sdk: '1', moduleVersion: null };
  const of = (message: string) => ({ ...fault, message });

  /** A store of its own, with room for so many kinds. */
  async function opened(kindsMax: number) {
    const log = createLogger('test', 'silent');
    const connection = await connectStore(auth.backend.mongodbUri, auth.backend.dbName('faults'), log);
    const store = createClientErrorStore(connection, { kindsMax });
    const kept = async (nowMs: number) => (await store.latest(nowMs, 100, null)).map(({ message }) => message).sort();
    const close = async () => {
      await connection.dropDatabase();
      await connection.destroy();
    };
    return { store, kept, close };
  }

  it('a new kind replaces the rarest one in the store, or the oldest of several', async () => {
    const { store, kept, close } = await opened(6);
    for (const [at, message] of ['often', 'rare', 'later'].entries()) await store.add(of(message), false, at);
    expect(await store.count(of('often'), false, 10)).toBe(true);
    expect(await store.count(of('new'), false, 10)).toBe(false);
    await store.add(of('new'), false, 11);
    expect(await kept(11)).toEqual(['later', 'new', 'often']);
    await store.add(of('newer'), false, 12);
    expect(await kept(12)).toEqual(['new', 'newer', 'often']);
    // Expired and not cleaned up yet is gone all the same.
    expect(await kept(12 + 7 * DAY_MS)).toEqual([]);
    await store.removeExpired(12 + 7 * DAY_MS);
    expect(await store.count(of('often'), false, 13)).toBe(false);
    await close();
  });

  it('half of the store is reserved for reports of signed-in users, and others never displace these', async () => {
    const { store, kept, close } = await opened(4);
    await store.add(of('true fault'), true, 0);
    for (let n = 0; n < 10; n += 1) await store.add(of(`flood ${n}`), false, n + 1);
    expect(await kept(20)).toEqual(['flood 8', 'flood 9', 'true fault']);
    // One that was anonymous moves over once a signed-in user reports it, too.
    await store.count(of('flood 8'), true, 21);
    await store.add(of('flood 10'), false, 22);
    await store.add(of('flood 11'), false, 23);
    expect(await kept(30)).toEqual(['flood 10', 'flood 11', 'flood 8', 'true fault']);
    await store.add(of('another true fault'), true, 24);
    expect(await kept(30)).toEqual(['another true fault', 'flood 10', 'flood 11', 'flood 8']);
    await close();
  });

  it('the limit of new kinds is per reporter and day; known kinds still count', async () => {
    const { store, kept, close } = await opened(1_000);
    const errors = createClientErrors({ store, kindsADay: 2 });
    const sends = (reporter: Reporter, nowMs: number, ...messages: string[]) =>
      errors.take({ errors: messages.map((message) => faultOf(message)) as never }, reporter, nowMs);
    await sends({ address: '192.0.2.1' }, 1, 'a', 'b', 'c', 'a');
    expect(await kept(1)).toEqual(['a', 'b']);
    await sends({ address: '192.0.2.2' }, 2, 'c');
    await sends({ userId: 'u' }, 3, 'd');
    await sends({ address: '192.0.2.1' }, 1 + DAY_MS, 'e');
    expect(await kept(DAY_MS)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const [a] = (await store.latest(DAY_MS, 10, null)).filter(({ message }) => message === 'a');
    expect(a?.count).toBe(2);
    await close();
  });

  it('over HTTP, a flood of anonymous reports does not displace a signed-in user’s report', async () => {
    const { token } = admin;
    await call(auth.url, api.report, { body: { errors: [faultOf('reported by a user')] }, token });
    const flood = Array.from({ length: 20 }, (_, n) => faultOf(`invented ${n}`));
    for (let n = 0; n < 4; n += 1)
      expect((await report({ errors: flood.map((one) => ({ ...one, message: `${one.message} ${n}` })) })).status).toBe(
        204,
      );
    const { errors } = (await list({ limit: 100 })).body;
    const invented = errors.filter(({ message }) => message.startsWith('invented'));
    expect([errors.some(({ message }) => message === 'reported by a user'), invented.length]).toEqual([true, 50]);
  });
});
