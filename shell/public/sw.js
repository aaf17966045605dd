// Answers a navigation that failed with the offline page, and handles nothing else: every other request goes its way as if
// this were not here. The version is the beginning of the page's SHA-256 (a test compares), so a changed page is fetched anew.
const VERSION = '524c625f31b3';
const CACHE = `cord-offline-${VERSION}`;
const PAGE = '/offline.html';

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

// A notification leads to its tab: in a page of the app that is open already, else in a new one.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const tab = event.notification.data?.tab;
  event.waitUntil(
    (async () => {
      const [page] = await self.clients.matchAll({ type: 'window' });
      if (page === undefined) return self.clients.openWindow(tab ? `/?tab=${encodeURIComponent(tab)}` : '/');
      if (tab) page.postMessage({ kind: 'go', tab });
      return page.focus();
    })(),
  );
});
