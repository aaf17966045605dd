// @vitest-environment jsdom
// biome-ignore lint/style/noRestrictedImports: what is sent is checked with the schema, as the server does
import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { CLIENT_ERRORS_LIMIT_BYTES } from '@cord/contracts/limits';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './problem';
import { createReporter, REPORT_BOUNDS, type ReporterDeps } from './report';
import { createStore } from './store';

type Message = Parameters<NonNullable<ReporterDeps['send']>>[0];

let sent: Message[];
let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  page = new EventTarget();
});

function reporter(changes: Partial<ReporterDeps> = {}) {
  return createReporter({
    versions: { shell: 'abc', sdk: '1.2.0' },
    modules: running({ mfe_tasks: '1.0.0-t' }),
    personal: () => ['mara.okafor', null],
    now: () => Date.UTC(2026, 10, 22),
    send: (message) => void sent.push(message),
    page: page as never,
    ...changes,
  });
}

const running = (versions: Record<string, string>) =>
  createStore<ReadonlyMap<string, string>>(new Map(Object.entries(versions)));

/** Returns all reports, after the time of several batches. */
async function reports() {
  await vi.advanceTimersByTimeAsync(10 * REPORT_BOUNDS.batchMs);
  for (const message of sent) expect(clientErrorEndpoints.report.body.safeParse(message).error).toBeUndefined();
  return sent.flatMap(({ errors }) => errors);
}

const faultAt = (stack: string, message = 'x is not a function') => Object.assign(new TypeError(message), { stack });

test('an error is reported with its place and all versions, in the form of the contract', async () => {
  reporter()(faultAt('TypeError: x\n at card'), { module: 'mfe_tasks', part: 'tasks/tasks-card' });
  expect(await reports()).toEqual([
    {
      message: 'TypeError: x is not a function',
      stack: 'TypeError: x\n at card',
      module: 'mfe_tasks',
      part: 'tasks/tasks-card',
      versions: { shell: 'abc', sdk: '1.2.0', module: '1.0.0-t' },
      at: '2026-11-22T00:00:00.000Z',
    },
  ]);
});

test('an uncaught error is attributed to the module of its code, with the version that ran', async () => {
  reporter();
  const error = faultAt('TypeError: x\n at https://cord.example/modules/mfe_mining/1.0.0-m/assets/9.js:1:2');
  page.dispatchEvent(Object.assign(new Event('error'), { error }));
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'no reason' }));
  // A remark of the browser, without an error.
  page.dispatchEvent(Object.assign(new Event('error'), { error: null, message: 'ResizeObserver loop' }));
  expect(await reports()).toMatchObject([
    { module: 'mfe_mining', versions: { module: '1.0.0-m' } },
    { message: 'no reason', versions: { shell: 'abc' } },
  ]);
});

test('an error that names its module is reported for that module', async () => {
  const error = Object.assign(new Error('mfe_tasks: /remotes.json did not come'), { module: 'mfe_tasks' });
  reporter()(error);
  expect((await reports())[0]).toMatchObject({ module: 'mfe_tasks', versions: { module: '1.0.0-t' } });
});

test('no personal data leaves the page', async () => {
  const id = '0123456789abcdef0123456789abcdef';
  const message = `mara.okafor at /?ref=K7M2QX9D&tab=tasks, /api/users/${id}, Discord 123456789012345678, Zoë`;
  reporter()(faultAt(`Error: ${message}\n at ${location.origin}/assets/main.js`, message));
  const text = JSON.stringify(await reports());
  for (const value of ['mara', 'K7M2QX9D', id, '123456789012345678', 'Zoë', location.origin]) {
    expect(text).not.toContain(value);
  }
  expect(text).toContain('/assets/main.js');
});

test('a user name of two letters is not removed from words', async () => {
  reporter({ personal: () => ['Jo', ''] })(faultAt('at Join', 'Join failed'));
  expect((await reports())[0]?.message).toBe('TypeError: Join failed');
});

test('the same error is reported the 1st, 10th and 100th time', async () => {
  const report = reporter();
  for (let nth = 1; nth <= 150; nth += 1) report(faultAt('at card'));
  expect(await reports()).toHaveLength(3);
});

test('a page reports a limited number of different errors, in batches of limited size', async () => {
  const report = reporter({ bounds: { ...REPORT_BOUNDS, batch: 1, kinds: 2 } });
  for (const name of ['a', 'b', 'c']) report(new Error(name));
  expect(await reports()).toHaveLength(2);
  expect(sent.map(({ errors }) => errors.length)).toEqual([1, 1]);
});

test('the largest message fits into the server’s limit', async () => {
  const report = reporter();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    report(faultAt('"\\'.repeat(5_000), `${name} ${'" '.repeat(500)}`));
  await reports();
  for (const message of sent) expect(JSON.stringify(message).length).toBeLessThan(CLIENT_ERRORS_LIMIT_BYTES);
});

test('when the page is left, the remaining errors are sent at once', () => {
  reporter()(new Error('late'));
  page.dispatchEvent(new Event('pagehide'));
  expect(sent).toHaveLength(1);
});

test('errors after the page is left are not reported; errors after a return to it are', async () => {
  const report = reporter();
  page.dispatchEvent(new Event('pagehide'));
  report(Object.assign(new Error('mfe_tasks: Failed to fetch'), { name: 'ModuleLoadError', module: 'mfe_tasks' }));
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new TypeError('Failed to fetch') }));
  expect(await reports()).toEqual([]);
  page.dispatchEvent(new Event('pageshow'));
  report(new Error('after the return'));
  expect(await reports()).toMatchObject([{ message: 'Error: after the return' }]);
});

test('a failed load just before the page is left is not reported; in a page that stays it is', async () => {
  const report = reporter();
  const loads = [
    Object.assign(new Error('mfe_tasks: Failed to get manifest'), { failure: 'manifest', module: 'mfe_tasks' }),
    Object.assign(new Error('Loading chunk 12 failed.'), { name: 'ChunkLoadError' }),
    new TypeError('Failed to fetch dynamically imported module: /assets/settings.js'),
  ];
  for (const load of loads) report(load);
  // Some milliseconds lie between the two events, more on a busy device.
  await vi.advanceTimersByTimeAsync(REPORT_BOUNDS.leavingMs - 1);
  page.dispatchEvent(new Event('pagehide'));
  page.dispatchEvent(new Event('pageshow'));
  expect(await reports()).toEqual([]);
  for (const load of loads) report(load);
  expect((await reports()).map(({ message }) => message)).toEqual([
    'Error: mfe_tasks: Failed to get manifest',
    'ChunkLoadError: Loading chunk 12 failed.',
    'TypeError: Failed to fetch dynamically imported module: /assets/settings.js',
  ]);
});

test('network errors and aborted calls are not reported, and offline nothing is', async () => {
  const report = reporter();
  report(new ApiError({ kind: 'network', message: 'Network error' }));
  report(new DOMException('gone', 'AbortError'));
  vi.stubGlobal('navigator', { onLine: false });
  report(new Error('a chunk did not come'));
  expect(await reports()).toEqual([]);
});

test('reports go by beacon as JSON, and by fetch if the browser refuses the beacon', async () => {
  const sendBeacon = vi.fn((_address: string, _body: Blob) => false);
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => new Response(null, { status: 204 }));
  vi.stubGlobal('navigator', { onLine: true, sendBeacon });
  vi.stubGlobal('fetch', fetched);
  createReporter({
    versions: { shell: 'abc', sdk: '1.2.0' },
    modules: running({}),
    personal: () => [],
    now: () => 0,
    page: page as never,
  })(new Error('x'));
  await vi.advanceTimersByTimeAsync(REPORT_BOUNDS.batchMs);
  expect(sendBeacon.mock.calls[0]?.[0]).toBe('/api/client-errors');
  expect(sendBeacon.mock.calls[0]?.[1].type).toBe('application/json');
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', keepalive: true });
});

const ofModules = (visits: Message['visits'] = []) => visits.filter(({ module }) => module !== 'shell');
const visitsReported = () => sent.map(({ visits }) => ofModules(visits)).filter((visits) => visits.length > 0);

test('a visit of each version is reported once, batched, whether or not the page is left', async () => {
  const modules = running({});
  reporter({ modules });
  modules.set(new Map([['mfe_tasks', '1.0.0-t']]));
  modules.set(new Map([...modules.get(), ['mfe_mining', '1.0.0-m']]));
  await reports();
  const tasks = { module: 'mfe_tasks', version: '1.0.0-t', n: 1 };
  expect(visitsReported()).toEqual([[tasks, { module: 'mfe_mining', version: '1.0.0-m', n: 1 }]]);
  // A release loaded into an open page is a separate visit; a release that returns is the earlier visit.
  for (const version of ['1.0.0-u', '1.0.0-t']) modules.set(new Map(modules.get()).set('mfe_tasks', version));
  page.dispatchEvent(new Event('pagehide'));
  page.dispatchEvent(new Event('pagehide'));
  await reports();
  expect(visitsReported().slice(1)).toEqual([[{ ...tasks, version: '1.0.0-u' }]]);
});

test('a visit with an error is reported with that error; an error after the report adds one more visit, once', async () => {
  const modules = running({});
  const report = reporter({ modules, bounds: { ...REPORT_BOUNDS, batch: 1 } });
  const [tasks, mining] = [
    { module: 'mfe_tasks', version: '1.0.0-t', n: 1 },
    { module: 'mfe_mining', version: '1.0.0-m', n: 1 },
  ];
  modules.set(new Map([tasks, mining].map(({ module, version }) => [module, version])));
  report(faultAt('of nobody', 'first'));
  report(faultAt('at card'), { module: 'mfe_tasks' });
  report(faultAt('at another', 'second'), { module: 'mfe_tasks' });
  await reports();
  for (const message of ['third', 'fourth']) report(faultAt('of mining', message), { module: 'mfe_mining' });
  await reports();
  const saying = sent.map(({ errors, visits }) => [errors.map(({ module }) => module), ofModules(visits)]);
  expect(saying).toEqual([
    [[undefined], [mining]],
    [['mfe_tasks'], []],
    [['mfe_tasks'], [tasks]],
    [['mfe_mining'], []],
    [['mfe_mining'], [mining]],
  ]);
});

test('a module that failed to load counts as a visit of its version', async () => {
  reporter({ modules: running({}) })(faultAt('of its entry'), { module: 'mfe_tasks', version: '1.0.0-x' });
  await reports();
  expect(visitsReported()).toEqual([[{ module: 'mfe_tasks', version: '1.0.0-x', n: 1 }]]);
});

test('the shell has a visit once it shows a module, and its own errors count for it', async () => {
  const modules = running({});
  const report = reporter({ modules });
  report(faultAt('of the landing page', 'early'));
  await reports();
  expect(sent.flatMap(({ visits = [] }) => visits)).toEqual([]);
  modules.set(new Map([['mfe_tasks', '1.0.0-t']]));
  report(faultAt('of the shell'));
  await reports();
  expect(sent.at(-1)).toMatchObject({
    errors: [{ versions: { shell: 'abc' } }],
    visits: [
      { module: 'shell', version: 'abc', n: 1 },
      { module: 'mfe_tasks', version: '1.0.0-t', n: 1 },
    ],
  });
});
