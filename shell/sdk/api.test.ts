import { beforeEach, expect, test, vi } from 'vitest';
import { PROBLEMS } from './answer-texts';
import { type Api, createApi } from './api';
import { setLocale, translate } from './i18n';
import { ApiError } from './problem';
import { createServerClock } from './server-clock';
import { bringSignedInCode, type SignedInCode } from './signed-in-code';
import { at } from './testing';

const id = '0123456789abcdef0123456789abcdef';
const bringCallTexts = (callTexts: SignedInCode['callTexts']) => bringSignedInCode({ callTexts } as SignedInCode);
const send = vi.fn<typeof fetch>();
const onUnauthorised = vi.fn();
const onReached = vi.fn();
const onMissed = vi.fn();
let api: Api;

beforeEach(() => {
  bringCallTexts(async () => (endpointId) => (endpointId === at.mining.start.id ? 'Failed to start mining' : null));
  send.mockReset();
  for (const listener of [onUnauthorised, onReached, onMissed]) listener.mockReset();
  api = createApi({ clock: createServerClock(), fetch: send, onUnauthorised, onReached, onMissed });
});

function answers(status: number, body?: unknown, headers: Record<string, string> = {}) {
  send.mockImplementation(async () =>
    body === undefined
      ? new Response(null, { status, headers })
      : new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } }),
  );
}

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

test('a call goes to its address on the page’s own origin, with credentials and its query', async () => {
  answers(200, []);
  await api.call(at.mining.history, { params: { id }, query: { limit: '3' } });
  expect(send).toHaveBeenCalledTimes(1);
  const [url, init] = send.mock.calls[0]!;
  expect(url).toBe(`/api/users/${id}/mining/history?limit=3`);
  expect(init).toMatchObject({ method: 'GET', credentials: 'same-origin' });
});

test('text that a user types into a path is encoded and stays in its segment', async () => {
  answers(200, {});
  await api.call(at.users.byUsername, { params: { username: '../a?b#c' } });
  expect(send.mock.calls[0]![0]).toBe('/api/users/username/..%2Fa%3Fb%23c');
});

test('an error response carries the server’s message, type and fields', async () => {
  answers(400, {
    type: 'bad-input',
    status: 400,
    error: 'confirm is needed',
    errors: [{ path: 'body.confirm', message: 'is needed' }],
    requestId: 'r1',
  });
  const error = await failure(api.call(at.users.remove, { params: { id }, body: { confirm: 'x' } }));
  expect(error).toMatchObject({ kind: 'http', status: 400, type: 'bad-input', message: 'confirm is needed' });
  expect(error.fields).toEqual([{ path: 'body.confirm', message: 'is needed' }]);
  expect(error.retryable).toBe(false);
});

test('an error is shown in the page’s language by its type, or with the server’s text if the type has no translation', async () => {
  translate({ de: { load: async () => ({ default: { problems: { 'not-yours': 'Das gehört jemand anderem' } } }) } });
  setLocale('de');
  await expect.poll(() => PROBLEMS.get()['not-yours']).toBeDefined();
  answers(403, { type: 'not-yours', error: 'This belongs to another user' });
  expect((await failure(api.call(at.users.get, { params: { id } }))).message).toBe('Das gehört jemand anderem');
  answers(422, { type: 'newer', error: 'The text of a newer service' });
  expect((await failure(api.call(at.users.get, { params: { id } }))).message).toBe('The text of a newer service');
  setLocale(null);
});

test('a server error shows the text of the call, or the server’s own text if that file does not load within 1 s', async () => {
  const start = () => failure(api.call(at.mining.start, { params: { id } }));
  answers(500, { type: 'internal', error: 'Internal error' });
  expect((await start()).message).toBe('Failed to start mining');
  send.mockImplementation(async () => new Response('<html>', { status: 502 }));
  expect((await start()).message).toBe('Failed to start mining');
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  expect((await start()).message).toBe('Failed to start mining');
  bringCallTexts(() => Promise.reject(new Error('404')));
  expect((await start()).message).toBe('Network error');
  vi.useFakeTimers();
  bringCallTexts(() => new Promise(() => undefined));
  answers(500, { type: 'internal', error: 'Internal error' });
  const waiting = start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await waiting).message).toBe('Internal error');
});

test('an error response without any text shows its status', async () => {
  send.mockImplementation(async () => new Response('', { status: 418 }));
  expect((await failure(api.call(at.rewards.solPrice))).message).toBe('HTTP 418');
});

test('a missing response is a network error; Retry-After of a 503 sets how long to wait', async () => {
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  const lost = await failure(api.call(at.rewards.solPrice));
  expect(lost).toMatchObject({ kind: 'network', status: 0, message: 'Network error', retryable: true });
  answers(503, { error: 'Not available right now' }, { 'retry-after': '7' });
  expect((await failure(api.call(at.rewards.solPrice))).retryAfterMs).toBe(7_000);
  answers(503, { error: 'Not available right now' });
  expect((await failure(api.call(at.rewards.solPrice))).retryAfterMs).toBeNull();
});

test('a call sends its body, the language of the page and a trace; `keepalive` is opt-in', async () => {
  answers(200, {});
  await api.call(at.rewards.compensation, { body: { userId: id }, keepalive: true });
  await api.call(at.rewards.solPrice);
  const [write, read] = send.mock.calls.map(([, init]) => ({ ...init, headers: new Headers(init?.headers) }));
  expect([write?.body, write?.keepalive, write?.headers.get('content-type')]).toEqual([
    JSON.stringify({ userId: id }),
    true,
    'application/json',
  ]);
  expect([read?.body, read?.keepalive, read?.headers.get('content-type')]).toEqual([undefined, false, null]);
  expect([write, read].map((each) => each?.headers.get('accept-language'))).toEqual(['en', 'en']);
  const traces = [write, read].map((each) => each?.headers.get('traceparent') ?? '');
  for (const trace of traces) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(new Set(traces).size).toBe(2);
});

test('each GET waits for `beforeRead`; a write does not', async () => {
  answers(200, {});
  let go = () => {};
  const waits = vi.fn(() => new Promise<void>((resolve) => (go = resolve)));
  const paced = createApi({ clock: createServerClock(), fetch: send, beforeRead: waits });
  const reading = paced.call(at.rewards.solPrice);
  await paced.call(at.rewards.compensation, { body: { userId: id } });
  expect(send.mock.calls.map(([, init]) => init?.method)).toEqual(['POST']);
  go();
  await reading;
  expect(send.mock.calls.map(([, init]) => init?.method)).toEqual(['POST', 'GET']);
  expect(waits).toHaveBeenCalledOnce();
});

test('a 204 resolves without a value; a truncated body is a network error', async () => {
  answers(204);
  expect(await api.call(at.auth.logout)).toBeUndefined();
  send.mockImplementation(async () => new Response('{"price":', { status: 200 }));
  expect(await failure(api.call(at.rewards.solPrice))).toMatchObject({ kind: 'network', status: 200 });
});

test('a call is cancelled with the signal of its caller', async () => {
  answers(200, {});
  const own = new AbortController();
  await api.call(at.rewards.solPrice, { signal: own.signal });
  const signal = send.mock.lastCall?.[1]?.signal;
  expect(signal?.aborted).toBe(false);
  own.abort();
  expect(signal?.aborted).toBe(true);
});

test('a call that takes too long ends as a timeout', async () => {
  send.mockImplementation(
    (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  );
  expect((await failure(api.call(at.rewards.solPrice, { timeoutMs: 5 }))).kind).toBe('timeout');
  expect(onMissed).toHaveBeenCalledOnce();
  const limits = vi.spyOn(AbortSignal, 'timeout');
  answers(200, {});
  await api.call(at.rewards.solPrice);
  expect(limits.mock.calls).toEqual([[15_000]]);
});

test('a call is sent once, with its idempotency key: only `sdk.writes` retries', async () => {
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  await failure(api.call(at.rewards.compensation, { body: { userId: id }, idempotencyKey: 'k1' }));
  expect(send.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))).toEqual(['k1']);
});

test('a 401 is reported, except for calls that need no session', async () => {
  answers(401, { error: 'Sign in first' });
  await failure(api.call(at.rewards.currentEpoch));
  expect(onUnauthorised).not.toHaveBeenCalled();
  await failure(api.call(at.rewards.solPrice));
  expect(onUnauthorised).toHaveBeenCalledTimes(1);
});

test('an error response counts as reached: the server is there', async () => {
  answers(503, { error: 'down' });
  await failure(api.call(at.users.get, { params: { id } }));
  expect(onReached).toHaveBeenCalledTimes(1);
  expect(onMissed).not.toHaveBeenCalled();
});

test('a call without a response counts as missed, unless the page aborted it', async () => {
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  await failure(api.call(at.users.get, { params: { id } }));
  expect(onMissed).toHaveBeenCalledTimes(1);
  const own = new AbortController();
  own.abort();
  expect((await failure(api.call(at.users.get, { params: { id }, signal: own.signal }))).kind).toBe('aborted');
  expect(onMissed).toHaveBeenCalledTimes(1);
  expect(onReached).not.toHaveBeenCalled();
});

test('on a device whose clock is an hour off, times follow the server’s clock', async () => {
  const clock = createServerClock(() => Date.parse('2026-11-21T12:03:17Z'));
  const skewed = createApi({ clock, fetch: send, localNow: () => Date.parse('2026-11-21T12:03:17Z') });
  answers(200, { serverTime: '2026-11-21T11:03:17.000Z' });
  await skewed.call(at.users.get, { params: { id } });
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-21T11:03:17.000Z');
});
