import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { type Subscription, worker } from '../testing/worker';
import { keepPushOwner } from './push-owner';

const idOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('hex').slice(0, 32);
const OLD = idOf('https://push.example/old');
const ENDPOINT = 'https://push.example/new';
const NEW = idOf(ENDPOINT);
const KEYS = { p256dh: 'p', auth: 'a' };
const AT = '/api/users/u1/push';

const subscription: Subscription = {
  endpoint: ENDPOINT,
  toJSON: () => ({ endpoint: ENDPOINT, expirationTime: null, keys: KEYS }),
  unsubscribe: async () => true,
};

/** A browser with pushes for user u1, as the page has stored it, and a server that knows its old subscription. */
async function pushed() {
  const server = {
    key: 'the key' as string | null,
    devices: [OLD, 'another'],
    /** Responses in place of the usual ones, by method. */
    refuses: {} as Record<string, number | 'nothing'>,
    callsMade: [] as string[],
    bodies: [] as unknown[],
  };
  const sw = worker(async (path, { method = 'GET', body }) => {
    if (path === undefined || typeof path !== 'string') return new Response('the app');
    server.callsMade.push(`${method} ${path.slice(AT.length)}`);
    const refused = server.refuses[method];
    if (refused === 'nothing') throw new TypeError('Failed to fetch');
    if (refused !== undefined) return new Response('{}', { status: refused });
    expect(path.startsWith(AT)).toBe(true);
    if (method === 'GET') return Response.json({ key: server.key });
    const received = JSON.parse(String(body)) as { id?: string; endpoint?: string };
    server.bodies.push(received);
    if (method === 'POST') {
      server.devices.unshift(idOf(received.endpoint ?? ''));
      return Response.json({ id: idOf(received.endpoint ?? '') });
    }
    const before = server.devices.length;
    server.devices = server.devices.filter((id) => id !== received.id);
    return new Response(null, { status: server.devices.length < before ? 204 : 404 });
  });
  sw.pushManager.subscribe.mockImplementation(async () => subscription);
  vi.stubGlobal('caches', sw.caches);
  await keepPushOwner({ userId: 'u1', id: OLD, locale: 'de' });
  const owner = async () => (await sw.caches.match('/push-owner'))?.json() ?? null;
  return { sw, server, owner };
}

const RENEWED = { userId: 'u1', id: NEW, locale: 'de' };

test('a changed subscription is registered and the old one removed, without a click', async () => {
  const { sw, server, owner } = await pushed();
  await sw.change();
  expect(server.devices).toEqual([NEW, 'another']);
  expect(server.callsMade).toEqual(['GET /key', 'DELETE /subscriptions', 'POST /subscriptions']);
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  expect(server.bodies).toEqual([{ id: OLD }, { endpoint: ENDPOINT, keys: KEYS, zone, locale: 'de' }]);
  expect(sw.pushManager.subscribe.mock.calls).toEqual([[{ userVisibleOnly: true, applicationServerKey: 'the key' }]]);
  expect(await owner()).toEqual(RENEWED);
  // Neither a later page nor a later version of the worker repeats it.
  await sw.fetchPage('navigate');
  expect(server.callsMade).toHaveLength(3);
  await sw.activate();
  expect(await owner()).toEqual(RENEWED);
  expect([sw.shown, sw.openWindow.mock.calls]).toEqual([[], []]);
});

test.each([
  ['there is no network', { GET: 'nothing' }],
  ['nobody is signed in', { GET: 401 }],
  ['somebody else is signed in', { GET: 403 }],
  ['the old one cannot be removed', { DELETE: 503 }],
  ['the new one does not arrive', { POST: 'nothing' }],
] as const)('while %s, the renewal waits for a later page', async (_while, refuses) => {
  const { sw, server, owner } = await pushed();
  server.refuses = refuses;
  await sw.change();
  expect(await owner()).toMatchObject({ id: OLD, changed: true });
  server.refuses = {};
  await sw.fetchPage('navigate');
  expect(server.devices).toEqual([NEW, 'another']);
  expect(await owner()).toEqual(RENEWED);
});

test.each([
  ['the user allows it no more', 'denied', 'the key'],
  ['the system pushes nothing any more', 'granted', null],
])('if %s, the old subscription is removed and no new one is requested', async (_why, permission, key) => {
  const { sw, server, owner } = await pushed();
  sw.notification.permission = permission;
  server.key = key;
  await sw.change();
  expect(server.devices).toEqual(['another']);
  expect(sw.pushManager.subscribe).not.toHaveBeenCalled();
  expect(await owner()).toBeNull();
});

test('a subscription with another key is replaced', async () => {
  const { sw, server } = await pushed();
  const unsubscribe = vi.fn(async () => true);
  sw.pushManager.getSubscription = async () => ({ ...subscription, unsubscribe });
  sw.pushManager.subscribe.mockRejectedValueOnce(new Error('InvalidStateError'));
  await sw.change();
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(server.devices).toEqual([NEW, 'another']);
});

test('a push service that the server refuses is not retried', async () => {
  const { sw, server, owner } = await pushed();
  server.refuses = { POST: 400 };
  await sw.change();
  expect(await owner()).toBeNull();
});

test('a browser without a push owner requests nothing', async () => {
  const { sw, server } = await pushed();
  await sw.caches.delete('cord-push');
  await sw.change();
  await sw.fetchPage('navigate');
  expect(server.callsMade).toEqual([]);
  expect(sw.pushManager.subscribe).not.toHaveBeenCalled();
});
