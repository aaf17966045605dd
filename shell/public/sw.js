// Answers a navigation that failed with the offline page, shows what is pushed, and handles nothing else: every other request goes its
// way as if this were not here. The version is the beginning of the page's SHA-256 (a test compares), so a changed page is fetched anew.
const VERSION = 'c25edb4879aa';
const CACHE = `cord-offline-${VERSION}`;
const PAGE = '/offline.html';
const ICON = '/icons/icon-192.png';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(PAGE, { cache: 'reload' }))));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
      // The page is asked for while this worker wakes up, so that it costs a navigation no time.
      await self.registration.navigationPreload?.enable();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(
    (async () => {
      try {
        return (await event.preloadResponse) ?? (await fetch(event.request));
      } catch {
        return (await caches.match(PAGE)) ?? Response.error();
      }
    })(),
  );
});

// What services/notices pushes (push/deliver.ts, Message), in the words that it brings. The app in sight says it by itself.
self.addEventListener('push', (event) => {
  event.waitUntil(
    (async () => {
      const message = event.data?.json() ?? {};
      const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      if (!message.always && pages.some(({ visibilityState }) => visibilityState === 'visible')) return;
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
    // It has paused, or nobody is signed in here any more: the app says what can be done.
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
