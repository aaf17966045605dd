// Answers a navigation that failed with the offline page, shows what is pushed, keeps the push subscription registered, and handles
// nothing else: every other request goes its way as if this were not here. A changed page has another hash (a test compares), so it is fetched anew.
const PAGE_SHA256 = 'e3c1d76ffc16114c983756cc5214ef198bcc530a739883d917ab75743c948a9e';
const CACHE = `cord-offline-${PAGE_SHA256.slice(0, 12)}`;
const PAGE = '/offline.html';
const ICON = '/icons/icon-192.png';
/** Who allowed this browser to be pushed to (offline/push-owner.ts). */
const PUSHED = 'cord-push';
const OWNER = '/push-owner';
const SAVE = /^\/api\/users\/\w+\/mining\/\w+\/save$/;

self.addEventListener('install', (event) => {
  event.waitUntil(keepPage());
  self.skipWaiting();
});

async function keepPage() {
  await (await caches.open(CACHE)).add(new Request(PAGE, { cache: 'reload' }));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== CACHE && name !== PUSHED).map((name) => caches.delete(name)));
      // The page is requested while this worker wakes up, so that it costs a navigation no time. Not in Firefox: a preload that fails
      // never settles there, and the offline page would not be shown.
      const isFirefox = /Firefox\//.test(self.navigator.userAgent);
      await self.registration.navigationPreload?.[isFirefox ? 'disable' : 'enable']();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const answer = answered(event);
  event.respondWith(answer);
  event.waitUntil(answer.then(putRight));
});

// What is not as it should be, and could not be put right before: there was no network, or nobody signed in.
function putRight({ ok }) {
  return Promise.allSettled([ok && pageThere(), renewed()]);
}

// Somebody has deleted it, or another one was in its place.
async function pageThere() {
  if ((await caches.match(PAGE, { cacheName: CACHE })) === undefined) await keepPage();
}

async function answered({ preloadResponse, request }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return (await offlinePage()) ?? Response.error();
  }
}

// Any script of this origin may write into the cache. So the page is what it was built as or not shown, and its headers are made here.
async function offlinePage() {
  const kept = await caches.match(PAGE, { cacheName: CACHE });
  if (kept === undefined) return null;
  const bytes = await kept.arrayBuffer();
  if (hex(await crypto.subtle.digest('SHA-256', bytes)) !== PAGE_SHA256) {
    await caches.delete(CACHE);
    return null;
  }
  return new Response(bytes, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': await policyOf(new TextDecoder().decode(bytes)),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  });
}

// As the gateway sends it (infra/gateway/headers.ts, offlinePolicy): the page's own style and script by their hashes, and nothing else.
async function policyOf(html) {
  const own = async (tag) => {
    const [, text = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? [];
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
  };
  const allowed = `style-src ${await own('style')}; script-src ${await own('script')}; connect-src 'self'`;
  return `default-src 'none'; ${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

// The browser, or its push service, has ended the subscription that was allowed; another one is requested without a notice.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    (async () => {
      const owner = await readOwner();
      if (owner === null) return;
      await keepOwner({ ...owner, changed: true });
      await renewed().catch(() => undefined);
    })(),
  );
});

// Puts what this browser subscribes to now in the place of what the server knows. Each step can be done again; what is left of it
// when there is no answer is done with a later page. Whoever is signed in meanwhile is refused: it is not theirs.
async function renewed() {
  const owner = await readOwner();
  if (!owner?.changed) return;
  const push = `/api/users/${owner.userId}/push`;
  const call = (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    return fetch(`${push}/${path}`, { ...sent, credentials: 'same-origin' });
  };
  const answer = await call('GET', 'key');
  if (!answer.ok) return;
  const { key } = await answer.json();
  const subscription = key !== null && Notification.permission === 'granted' ? await subscribed(key) : null;
  const id = subscription && (await idOf(subscription));
  // The old one first: of more than five the oldest goes, and that may be another device.
  if (id !== owner.id) {
    const removed = await call('DELETE', 'subscriptions', { id: owner.id });
    if (!removed.ok && removed.status !== 404) return;
  }
  if (subscription === null) return void (await caches.delete(PUSHED));
  const { endpoint, keys } = subscription.toJSON();
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const { userId, locale } = owner;
  const put = await call('POST', 'subscriptions', { endpoint, keys, zone, locale });
  if (put.ok) await keepOwner({ userId, id, locale });
  // None of the push services that the server knows: it stays so.
  else if (put.status === 400) await caches.delete(PUSHED);
}

// One of another key, of a system that was here before, is none of ours.
async function subscribed(key) {
  const { pushManager } = self.registration;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
}

// As the server makes it (services/notices/push/subscriptions.ts).
async function idOf({ endpoint }) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return hex(hash.slice(0, 16));
}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function readOwner() {
  return (await (await caches.match(OWNER))?.json()) ?? null;
}

async function keepOwner(owner) {
  await (await caches.open(PUSHED)).put(OWNER, Response.json(owner));
}

// What services/notices pushes (push/deliver.ts, Message), with the text that it brings. The app in sight shows it by itself.
self.addEventListener('push', (event) => {
  event.waitUntil(
    (async () => {
      const message = event.data?.json() ?? {};
      const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const inSight = pages.some(({ visibilityState }) => visibilityState === 'visible');
      if (inSight && !message.always && !(await isOfApple())) return;
      const { extend } = message;
      const actions = extend
        ? [
            { action: 'extend', title: extend.press },
            { action: 'open', title: extend.open },
          ]
        : [];
      await show(message, message, actions);
    })(),
  );
});

// Apple ends a subscription after three pushes that have shown nothing, whatever is in sight.
async function isOfApple() {
  const subscription = await self.registration.pushManager.getSubscription();
  return subscription !== null && /^https:\/\/[^/]+\.push\.apple\.com\//.test(subscription.endpoint);
}

// A press leads to its tab, in a page of the app that is open already, else in a new one; Extend is done without one.
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  const data = notification.data ?? {};
  event.waitUntil(action === 'extend' && data.extend ? extended(data) : go(data.tab));
});

async function go(tab) {
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (page === undefined) return self.clients.openWindow(tab ? `/?tab=${encodeURIComponent(tab)}` : '/');
  if (tab) page.postMessage({ kind: 'go', tab });
  return page.focus();
}

// The ordinary save of the session that the message is about: it gives the node eight hours from now.
async function extended(message) {
  const { path, done, failed, again } = message.extend;
  // Whoever can push decides no other call of the user's.
  if (!SAVE.test(path)) return go(message.tab);
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', body: '{}', headers, credentials: 'same-origin' });
    const { session } = answer.ok ? await answer.json() : {};
    if (session?.status === 'active') {
      const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
      const time = new Date(session.leaseUntil).toLocaleTimeString('en-GB', clock);
      const { extend: _done, ...rest } = message;
      return show({ title: done.title.replace('{time}', time), text: done.text }, rest, []);
    }
    // It has paused, or nobody is signed in here any more: the app shows what can be done.
    if (answer.ok || answer.status === 401 || answer.status === 404) return go(message.tab);
  } catch {
    // No network.
  }
  return show(failed, message, [{ action: 'extend', title: again }]);
}

// A later one of the same thing takes the place of one that still stands, in silence.
function show({ title = 'CORD', text = '' }, data, actions) {
  const { about: tag, atMs: timestamp } = data;
  return self.registration.showNotification(title, {
    body: text,
    icon: ICON,
    badge: ICON,
    tag,
    timestamp,
    data,
    actions,
  });
}
