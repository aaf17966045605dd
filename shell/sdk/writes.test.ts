import { decide as decideRules, propose as proposeRules } from '@cord/contracts/addresses/rules';
import { expect, test, vi } from 'vitest';
import { ApiError } from './problem';
import { createSession } from './session';
import { createTestSdk, offline, problem, sampleUser } from './testing';
import { createWrites, type WriteBounds, waitBefore } from './writes';

const SMALLEST: WriteBounds = { tries: 1, firstWaitMs: 0, mostWaitMs: 0, patienceMs: 0 };
const stillRunning = () => problem(409, 'This request is still running', 'still-running');

/** Creates writes with a sequence of responses; a function is called, an error thrown. */
function setUp(answers: unknown[], bounds: WriteBounds = { ...SMALLEST, tries: 4, patienceMs: 1_000 }) {
  const sdk = createTestSdk();
  const keys: string[] = [];
  const writes = createWrites({ ...sdk, bounds, localNow: () => 0 });
  const send = (input: unknown = null, name = 'claim') =>
    writes.send({
      name: [name],
      input,
      refresh: [['history', 'u']],
      send: async (_api, key) => {
        keys.push(key);
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return typeof answer === 'function' ? answer() : answer;
      },
    });
  return { sdk, send, keys };
}

test('a lost response is requested again with the same idempotency key', async () => {
  const tooSlow = new ApiError({ kind: 'timeout', status: 0, message: '' });
  const { send, keys } = setUp([offline(), tooSlow, problem(504, 'Too late'), 'paid']);
  expect(await send()).toBe('paid');
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(4);
});

test('each POST of a write carries its key, even if the write passes none; other methods carry none', async () => {
  const { api, writes } = createTestSdk();
  api.on(proposeRules, {} as never).on(decideRules, {} as never);
  await writes.send({
    name: ['propose'],
    send: async (to) => {
      await to.call(decideRules, { params: { id: 'a' } });
      await to.call(proposeRules);
    },
  });
  expect(api.callsOf(proposeRules)[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  expect(api.callsOf(decideRules)[0]?.idempotencyKey).toBeUndefined();
});

test('a first attempt that still runs on the server is waited for, not treated as a failure', async () => {
  const { send, keys } = setUp([offline(), stillRunning(), stillRunning(), 'paid']);
  expect(await send()).toBe('paid');
  expect(new Set(keys).size).toBe(1);
});

test('waits between two attempts', async () => {
  vi.useFakeTimers();
  const { send, keys } = setUp([stillRunning(), 'paid'], {
    ...SMALLEST,
    tries: 4,
    firstWaitMs: 200,
    mostWaitMs: 200,
    patienceMs: 1_000,
  });
  const sent = send();
  await vi.advanceTimersByTimeAsync(99);
  expect(keys).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(101);
  expect(await sent).toBe('paid');
});

test('a 409 is final: it is not retried, and the next press has a new key', async () => {
  const { send, keys } = setUp([problem(409, 'Already claimed'), 'paid']);
  await expect(send()).rejects.toThrow('Already claimed');
  await send();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
});

test('a 500 or 503 is returned at once, and the next press sends the same key', async () => {
  const { send, keys } = setUp([problem(500, 'Internal'), problem(503, 'Away'), 'paid']);
  await expect(send()).rejects.toThrow('Internal');
  expect(keys).toHaveLength(1);
  await expect(send()).rejects.toThrow('Away');
  expect(await send()).toBe('paid');
});

test('after the last attempt the key is kept: the next press continues the same write', async () => {
  const { send, keys } = setUp([offline(), offline(), 'paid', 'other'], { ...SMALLEST, tries: 2, patienceMs: 1_000 });
  await expect(send()).rejects.toThrow('Network error');
  expect(await send()).toBe('paid');
  expect(new Set(keys).size).toBe(1);
  await send();
  expect(new Set(keys).size).toBe(2);
});

test('with the smallest bounds it sends once, and keeps the key', async () => {
  const { send, keys } = setUp([offline(), 'paid'], SMALLEST);
  await expect(send()).rejects.toThrow('Network error');
  expect(await send()).toBe('paid');
  expect(new Set(keys).size).toBe(1);
});

test('another input is another write, with its own key', async () => {
  const { send, keys } = setUp([offline(), 'b'], SMALLEST);
  await expect(send({ text: 'a' })).rejects.toThrow();
  await send({ text: 'b' });
  expect(new Set(keys).size).toBe(2);
});

test('two presses at once are sent once, and both get the same response', async () => {
  const { send, keys } = setUp(['paid', 'paid again']);
  expect(await Promise.all([send(), send()])).toEqual(['paid', 'paid']);
  expect(keys).toHaveLength(1);
});

test.each([
  ['done', 'paid'],
  ['refused', problem(409, 'Already claimed')],
  ['unknown', offline()],
])('the affected queries are invalidated here and in the other tabs: %s', async (_how, answer) => {
  const { sdk, send } = setUp([answer], SMALLEST);
  sdk.queries.setQueryData(['history', 'u'], []);
  await send().catch(() => undefined);
  expect(sdk.queries.getQueryState(['history', 'u'])?.isInvalidated).toBe(true);
  expect(sdk.sent).toEqual([{ kind: 'stale', userId: sampleUser().id, queryKey: ['history', 'u'] }]);
});

test('a write of one user is not retried for the next', async () => {
  const { sdk, send, keys } = setUp([
    () => {
      sdk.session.signOut();
      throw offline();
    },
    'never',
  ]);
  await expect(send()).rejects.toThrow('Network error');
  expect(keys).toHaveLength(1);
});

test('the waits double, are random by half, follow Retry-After, and stop at the maximum', () => {
  const bounds: WriteBounds = { tries: 9, firstWaitMs: 200, mostWaitMs: 1_000, patienceMs: 9_000 };
  expect([2, 3, 4, 5].map((attempt) => waitBefore(attempt, null, bounds, 0))).toEqual([200, 400, 800, 1_000]);
  expect(waitBefore(2, null, bounds, 1)).toBe(100);
  expect(waitBefore(2, 700, bounds, 0)).toBe(700);
  expect(waitBefore(2, 60_000, bounds, 0)).toBe(1_000);
});

test('the keys are deleted when the user signs out', async () => {
  const silent = { send: () => undefined, listen: () => () => undefined };
  const clock = { now: () => 0, observe: () => undefined };
  const session = createSession({ broadcast: silent, clock });
  session.signIn(sampleUser());
  const keys: string[] = [];
  const { api, cache } = createTestSdk();
  const writes = createWrites({ api, session, cache, bounds: SMALLEST });
  const send = () =>
    writes.send({ name: ['claim'], send: async (_, key) => Promise.reject(keys.push(key) && offline()) });
  await send().catch(() => undefined);
  session.signOut();
  session.signIn(sampleUser());
  await send().catch(() => undefined);
  expect(new Set(keys).size).toBe(2);
});

test('no further try starts after the patience of the page', async () => {
  const { api, cache, session } = createTestSdk();
  let nowMs = 0;
  const bounds = { ...SMALLEST, tries: 99, patienceMs: 1_000 };
  const writes = createWrites({ api, cache, session, bounds, localNow: () => nowMs });
  const send = vi.fn(async () => {
    nowMs += 400;
    throw offline();
  });
  await expect(writes.send({ name: ['claim'], send })).rejects.toThrow('Network error');
  expect(send).toHaveBeenCalledTimes(3);
});
