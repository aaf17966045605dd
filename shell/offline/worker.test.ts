import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { worker } from '../testing/worker';

const { offlinePolicy } = (await import(new URL('../../infra/gateway/headers.ts', import.meta.url).href)) as {
  offlinePolicy: (hashes: { style: string; script: string }) => string;
};

const read = (name: string) => readFileSync(new URL(`../public/${name}`, import.meta.url), 'utf8');

const works = async () => new Response('the app');
const fails = async (): Promise<Response> => {
  throw new TypeError('Failed to fetch');
};

test('a failed navigation gets the offline page', async () => {
  const sw = worker(fails);
  await sw.install();
  const answer = (await sw.fetchPage('navigate')) as Response;
  expect(await answer.text()).toBe(read('offline.html'));
  expect(answer.status).toBe(200);
});

test('the offline page has the worker’s own headers, which allow only its own style and script', async () => {
  const sw = worker(fails);
  await sw.install();
  const { headers } = (await sw.fetchPage('navigate')) as Response;
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(read('offline.html')) ?? [];
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(read('offline.html')) ?? [];
  const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  expect(style.length * script.length).toBeGreaterThan(0);
  const policy = offlinePolicy({ style: sha256(style), script: sha256(script) });
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test.each([
  ['another page', () => new Response('<h1>me</h1>')],
  ['the page with one letter more', () => new Response(`${read('offline.html')} `)],
  ['nothing', () => new Response('')],
])('a modified page in the cache is not shown, and is removed: %s', async (_what, put) => {
  const sw = worker(fails);
  await sw.install();
  for (const name of sw.kept.keys()) await (await sw.caches.open(name)).put('/offline.html', put());
  await sw.caches.open('aaa').then((cache) => cache.put('/offline.html', put()));
  expect(await sw.fetchPage('navigate')).toMatchObject({ type: 'error' });
  expect([...sw.kept.keys()].filter((name) => /^cord-offline-[0-9a-f]{12}$/.test(name))).toEqual([]);
});

test.each([
  ['was deleted', async (sw: ReturnType<typeof worker>) => sw.kept.clear()],
  [
    'was another one, and went',
    async (sw: ReturnType<typeof worker>) => {
      for (const inside of sw.kept.values()) inside.set('/offline.html', new Response('<h1>me</h1>'));
      expect(await sw.fetchPage('navigate')).toMatchObject({ type: 'error' });
    },
  ],
])('an offline page that %s is restored after a successful navigation', async (_what, remove) => {
  let network = fails;
  const sw = worker(() => network());
  await sw.install();
  await remove(sw);
  expect(await sw.fetchPage('navigate')).toMatchObject({ type: 'error' });
  network = works;
  await sw.fetchPage('navigate');
  network = fails;
  expect(await ((await sw.fetchPage('navigate')) as Response).text()).toBe(read('offline.html'));
});

test('an existing offline page is not fetched with each navigation', async () => {
  const sw = worker(works);
  await sw.install();
  const [inside] = [...sw.kept].filter(([name]) => name !== 'cord-offline-old').map(([, each]) => each);
  const before = inside?.get('/offline.html');
  await sw.fetchPage('navigate');
  expect(before && inside?.get('/offline.html')).toBe(before);
});

test('a successful navigation gets the server’s response, even an error', async () => {
  const sw = worker(async () => new Response('down', { status: 503 }));
  await sw.install();
  expect(await sw.fetchPage('navigate')).toMatchObject({ status: 503 });
});

test('a preloaded response is used instead of another request', async () => {
  const ahead = new Response('the app, ahead');
  const sw = worker(fails, Promise.resolve(ahead));
  expect(await sw.fetchPage('navigate')).toBe(ahead);
});

test.each(['cors', 'no-cors', 'same-origin'])('a request of mode %s is left alone, even offline', async (mode) => {
  const sw = worker(fails);
  await sw.install();
  expect(await sw.fetchPage(mode)).toBe('left alone');
});

test('the cache contains one page, and older versions are removed', async () => {
  const sw = worker(works);
  await sw.install();
  await sw.activate();
  expect([...sw.kept.values()].map((inside) => [...inside.keys()])).toEqual([['/offline.html']]);
  expect([...sw.kept.keys()]).not.toContain('cord-offline-old');
  expect(sw.navigationPreload.enable).toHaveBeenCalled();
});

test('in Firefox, navigation preload is disabled, as a failed preload never ends there', async () => {
  const sw = worker(fails, undefined, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
  await sw.activate();
  const { enable, disable } = sw.navigationPreload;
  expect([enable.mock.calls.length, disable.mock.calls.length]).toEqual([0, 1]);
});

test('a click on a notification opens its tab in the open page, or in a new one', async () => {
  const sw = worker(works);
  await sw.click({ tab: 'node' });
  expect(sw.openWindow).toHaveBeenCalledWith('/?tab=node');
  await sw.click();
  expect(sw.openWindow).toHaveBeenLastCalledWith('/');
  const page = { postMessage: vi.fn(), focus: vi.fn(async () => undefined) };
  sw.pages.push(page);
  await sw.click({ tab: 'tasks' });
  expect(page.postMessage).toHaveBeenCalledWith({ kind: 'go', tab: 'tasks' });
  expect(page.focus).toHaveBeenCalled();
  expect(sw.openWindow).toHaveBeenCalledTimes(2);
});

const WARNING = {
  title: 'Your node pauses at 03:12',
  text: '1 h left. Extend it to keep it running until 10:12.',
  tab: 'node',
  about: 'node-paused.s1',
  atMs: 5,
  extend: {
    path: '/api/users/u1/mining/s1/save',
    press: 'Extend',
    open: 'Open CORD',
    again: 'Try again',
    done: { title: 'Runs until {time}', text: 'Extended. There is nothing else to do.' },
    failed: {
      title: 'Your node pauses at 03:12',
      text: 'CORD could not be reached. Your node still runs until 03:12.',
    },
  },
};

test('a push is shown with its text unless the app is visible; a test is always shown', async () => {
  const sw = worker(works);
  await sw.push({ title: 'Payment confirmed', text: 'It is final.', tab: 'dashboard', about: 'payment.o1', atMs: 7 });
  expect(sw.shown).toMatchObject([
    {
      title: 'Payment confirmed',
      options: { body: 'It is final.', tag: 'payment.o1', actions: [], data: { tab: 'dashboard' } },
    },
  ]);
  const page = { visibilityState: 'hidden', postMessage: vi.fn(), focus: vi.fn(async () => undefined) };
  sw.pages.push(page);
  await sw.push(WARNING);
  expect(sw.shown).toHaveLength(2);
  page.visibilityState = 'visible';
  await sw.push(WARNING);
  expect(sw.shown).toHaveLength(2);
  await sw.push({ title: 'A test', text: '', tab: 'settings', about: 'test', atMs: 1, always: true });
  expect(sw.shown).toHaveLength(3);
});

test('with Apple’s push service each push is shown even if the app is visible, as silent ones end the subscription', async () => {
  const sw = worker(works);
  const subscription = { toJSON: () => ({}), unsubscribe: async () => true };
  sw.pushManager.getSubscription = async () => ({ ...subscription, endpoint: 'https://web.push.apple.com/QGuQ' });
  sw.pages.push({ visibilityState: 'visible', postMessage: vi.fn(), focus: vi.fn(async () => undefined) });
  await sw.push(WARNING);
  expect(sw.shown).toHaveLength(1);
});

test('Extend saves the session without opening the app, and shows until when the node runs', async () => {
  const until = new Date(2026, 10, 27, 10, 12).toISOString();
  const calls: [string, string | undefined][] = [];
  const sw = worker(async (path, { method }) => {
    calls.push([path, method]);
    return Response.json({ success: true, session: { status: 'active', leaseUntil: until } });
  });
  await sw.push(WARNING);
  expect(sw.shown[0]?.options.actions).toEqual([
    { action: 'extend', title: 'Extend' },
    { action: 'open', title: 'Open CORD' },
  ]);
  await sw.click(sw.shown[0]?.options.data, 'extend');
  expect(calls).toEqual([[WARNING.extend.path, 'POST']]);
  expect(sw.shown[1]).toMatchObject({
    title: 'Runs until 10:12',
    options: { body: 'Extended. There is nothing else to do.', tag: WARNING.about, actions: [] },
  });
  expect(sw.openWindow).not.toHaveBeenCalled();
  await sw.click(sw.shown[0]?.options.data, 'open');
  expect(sw.openWindow).toHaveBeenCalledExactlyOnceWith('/?tab=node');
});

test.each(['/api/auth/logout', 'https://elsewhere.example/api/users/x/mining/y/save', '/api/users/x/../auth/logout'])(
  'a press on Extend calls only a save, never %s',
  async (path) => {
    const called = vi.fn(async () => new Response('{}'));
    const sw = worker(called);
    await sw.click({ ...WARNING, extend: { ...WARNING.extend, path } }, 'extend');
    expect(called).not.toHaveBeenCalled();
    expect(sw.openWindow).toHaveBeenCalledOnce();
  },
);

test.each([
  ['no network', fails],
  ['a server that is down', async () => new Response('down', { status: 503 })],
])('Extend with %s shows the failure, and can be retried', async (_why, network) => {
  const sw = worker(network);
  await sw.click(WARNING, 'extend');
  expect(sw.shown).toMatchObject([
    {
      title: WARNING.extend.failed.title,
      options: { body: WARNING.extend.failed.text, actions: [{ action: 'extend', title: 'Try again' }], data: WARNING },
    },
  ]);
});

test.each([
  ['has paused meanwhile', async () => Response.json({ session: { status: 'paused', leaseUntil: null } })],
  ['nobody is signed in to', async () => new Response('{}', { status: 401 })],
])('Extend of a node that %s opens the app', async (_which, network) => {
  const sw = worker(network);
  await sw.click(WARNING, 'extend');
  expect(sw.openWindow).toHaveBeenCalledExactlyOnceWith('/?tab=node');
  expect(sw.shown).toEqual([]);
});

test('the worker contains the hash of the current offline page', () => {
  const hash = createHash('sha256').update(read('offline.html')).digest('hex');
  expect(read('sw.js')).toContain(`const PAGE_SHA256 = '${hash}';`);
});

test('the manifest makes the app installable, and all its icons exist', () => {
  const manifest = JSON.parse(read('manifest.webmanifest')) as {
    display: string;
    start_url: string;
    icons: { src: string; sizes: string; purpose: string }[];
  };
  expect(manifest).toMatchObject({ name: 'CORD', display: 'standalone', start_url: '/' });
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  for (const { src } of manifest.icons) expect(read(src.slice(1)).length).toBeGreaterThan(100);
});
