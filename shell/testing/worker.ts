import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { vi } from 'vitest';

/** The offline page as the gateway sends it, with headers that the worker must not reuse. */
export const offlineFile = () =>
  new Response(readFileSync(new URL('../public/offline.html', import.meta.url)), {
    headers: { 'X-Of': 'the gateway' },
  });

interface Shown {
  body: string;
  tag: string;
  data: Record<string, unknown>;
  actions: { action: string; title: string }[];
}

/** A stored subscription, as page and worker see it. */
export interface Subscription {
  endpoint: string;
  toJSON(): object;
  unsubscribe(): Promise<boolean>;
}

/**
 * Runs the worker (public/sw.js) as a browser does: listeners, caches, notifications, and a push service.
 * @param preload navigation preload of the browser
 * @param userAgent of the browser
 */
export function worker(
  network: (path: string, sent: RequestInit) => Promise<Response>,
  preload?: Promise<Response | undefined>,
  userAgent = 'Chrome/130.0.0.0 Safari/537.36',
) {
  const listeners = new Map<string, (event: unknown) => void>();
  const kept = new Map([['cord-offline-old', new Map([['/offline.html', offlineFile()]])]]);
  const open = async (name: string) => {
    const inside = kept.get(name) ?? new Map<string, Response>();
    kept.set(name, inside);
    return {
      add: async (request: Request) => void inside.set(new URL(request.url).pathname, offlineFile()),
      put: async (path: string, response: Response) => void inside.set(path, response),
    };
  };
  const caches = {
    open,
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (path: string, { cacheName }: { cacheName?: string } = {}) => {
      const named = [...kept].filter(([name]) => cacheName === undefined || name === cacheName);
      const found = named.find(([, inside]) => inside.has(path))?.[1].get(path);
      // Cloned, so that it can be read again.
      return found?.clone();
    },
  };
  const navigationPreload = { enable: vi.fn(async () => undefined), disable: vi.fn(async () => undefined) };
  const openWindow = vi.fn(async () => null);
  const pages: { visibilityState?: string; postMessage(message: unknown): void; focus(): Promise<void> }[] = [];
  const shown: { title: string; options: Shown }[] = [];
  const notification = { permission: 'granted' };
  const pushManager = {
    getSubscription: async (): Promise<Subscription | null> => null,
    subscribe: vi.fn(async (_options: object): Promise<Subscription> => Promise.reject(new Error('no push service'))),
  };
  const self = {
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    skipWaiting: () => undefined,
    registration: {
      navigationPreload,
      pushManager,
      showNotification: async (title: string, options: Shown) => void shown.push({ title, options }),
    },
    navigator: { userAgent },
    clients: { matchAll: async () => pages, openWindow },
  };
  class AppRequest extends Request {
    constructor(path: string, init: RequestInit) {
      super(new URL(path, 'https://cord.example'), init);
    }
  }
  const source = readFileSync(new URL('../public/sw.js', import.meta.url), 'utf8');
  const there = { self, caches, fetch: network, Request: AppRequest, Response, crypto, TextEncoder, TextDecoder, btoa };
  runInNewContext(source, { ...there, Notification: notification });
  const lasting = async (name: string, event: object = {}) => {
    let work: unknown;
    listeners.get(name)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) });
    await work;
  };
  /** @returns the response, after all other work of the worker */
  const fetchPage = async (mode: string) => {
    const event = { request: { mode }, preloadResponse: preload ?? Promise.resolve(undefined), respondWith: vi.fn() };
    await lasting('fetch', event);
    const answer = event.respondWith.mock.calls[0]?.[0] as Promise<Response> | undefined;
    return answer === undefined ? 'left alone' : answer;
  };
  const click = (data?: unknown, action = '') =>
    lasting('notificationclick', { action, notification: { data, close: () => undefined } });
  return {
    caches,
    kept,
    navigationPreload,
    openWindow,
    pages,
    shown,
    notification,
    pushManager,
    click,
    push: (message: object) => lasting('push', { data: { json: () => message } }),
    install: () => lasting('install'),
    activate: () => lasting('activate'),
    /** The browser's subscription has ended. */
    change: () => lasting('pushsubscriptionchange'),
    fetchPage,
  };
}
