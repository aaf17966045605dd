/** Where this browser keeps whose it is to the pushes; the worker reads it, too, and a page's storage it cannot (public/sw.js). */
const CACHE = 'cord-push';
const KEY = '/push-owner';

/** Who allowed this browser to be pushed to. */
export interface PushOwner {
  userId: string;
  /** How the server knows it. */
  id: string;
  /** The language of its page. */
  locale: string;
}

/** From then on the worker registers a changed subscription by itself; where nothing can be kept, the switch does as before. */
export async function keepPushOwner(owner: PushOwner): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(KEY, Response.json(owner));
  } catch {
    // A private window.
  }
}

/** Whose it is, as it was kept; null where it is nobody's, and where nothing can be kept. */
export async function readPushOwner(): Promise<PushOwner | null> {
  return (await (await globalThis.caches?.match(KEY, { cacheName: CACHE }))?.json()) ?? null;
}

/** It is nobody's any more: nobody is pushed to here, and its push service rejects who tries. */
export async function endPushes(): Promise<void> {
  const forget = async () => globalThis.caches?.delete(CACHE);
  await forget().catch(() => undefined);
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

/** How long leaving waits for it, ms: a push service that does not answer keeps nobody signed in. */
const END_MS_MAX = 2_000;

/** The same before somebody leaves, whatever becomes of it. */
export async function endPushesSoon(): Promise<void> {
  const ended = endPushes().catch(() => undefined);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_MS_MAX))]);
}
