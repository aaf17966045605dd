import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../public/${name}`, import.meta.url), 'utf8');
const OFFLINE = new Response('offline page');

/** The worker as a browser runs it: what it listens to, and the caches it keeps. */
function worker(network: () => Promise<Response>, preload?: Promise<Response | undefined>) {
  const listeners = new Map<string, (event: unknown) => void>();
  const kept = new Map<string, string[]>([['cord-offline-old', ['/offline.html']]]);
  const caches = {
    open: async (name: string) => ({
      add: async (request: Request) => kept.set(name, [new URL(request.url).pathname]),
    }),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (path: string) => ([...kept.values()].flat().includes(path) ? OFFLINE : undefined),
  };
  const enable = vi.fn(async () => undefined);
  const openWindow = vi.fn(async () => null);
  const pages: { postMessage(message: unknown): void; focus(): Promise<void> }[] = [];
  const self = {
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    skipWaiting: () => undefined,
    registration: { navigationPreload: { enable } },
    clients: { matchAll: async () => pages, openWindow },
  };
  class AppRequest extends Request {
    constructor(path: string, init: RequestInit) {
      super(new URL(path, 'https://cord.example'), init);
    }
  }
  runInNewContext(read('sw.js'), { self, caches, fetch: network, Request: AppRequest, Response });
  const lasting = async (name: string, event: object = {}) => {
    let work: unknown;
    listeners.get(name)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) });
    await work;
  };
  const ask = async (mode: string) => {
    const event = { request: { mode }, preloadResponse: preload ?? Promise.resolve(undefined), respondWith: vi.fn() };
    listeners.get('fetch')?.(event);
    const answer = event.respondWith.mock.calls[0]?.[0] as Promise<Response> | undefined;
    return answer === undefined ? 'left alone' : answer;
  };
  const click = (data?: unknown) => lasting('notificationclick', { notification: { data, close: () => undefined } });
  return {
    kept,
    enable,
    openWindow,
    pages,
    click,
    install: () => lasting('install'),
    activate: () => lasting('activate'),
    ask,
  };
}

const works = async () => new Response('the app');
const fails = async (): Promise<Response> => {
  throw new TypeError('Failed to fetch');
};

test('a navigation that fails is answered by the offline page', async () => {
  const sw = worker(fails);
  await sw.install();
  expect(await sw.ask('navigate')).toBe(OFFLINE);
});

test('a navigation that works is answered by the server, an error of its included', async () => {
  const sw = worker(async () => new Response('down', { status: 503 }));
  await sw.install();
  expect(await sw.ask('navigate')).toMatchObject({ status: 503 });
});

test('what the browser asked for ahead is not asked for again', async () => {
  const ahead = new Response('the app, ahead');
  const sw = worker(fails, Promise.resolve(ahead));
  expect(await sw.ask('navigate')).toBe(ahead);
});

test.each(['cors', 'no-cors', 'same-origin'])('a request of mode %s is left alone, offline too', async (mode) => {
  const sw = worker(fails);
  await sw.install();
  expect(await sw.ask(mode)).toBe('left alone');
});

test('it keeps one page, and drops what an older version kept', async () => {
  const sw = worker(works);
  await sw.install();
  await sw.activate();
  expect([...sw.kept.values()]).toEqual([['/offline.html']]);
  expect([...sw.kept.keys()]).not.toContain('cord-offline-old');
  expect(sw.enable).toHaveBeenCalled();
});

test('a click on a notification goes to its tab in the page that is open, or opens one', async () => {
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

test('a changed offline page has another version, so that browsers fetch it', () => {
  const version = createHash('sha256').update(read('offline.html')).digest('hex').slice(0, 12);
  expect(read('sw.js')).toContain(`const VERSION = '${version}';`);
});

test('the manifest makes the app installable, and every picture it names is there', () => {
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
