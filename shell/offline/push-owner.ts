/** Cache of the push owner; the worker reads it, and cannot read a page's storage (public/sw.js). */
const CACHE = 'cord-push';
const KEY = '/push-owner';

/** The user who allowed pushes in this browser. */
export interface PushOwner {
  userId: string;
  /** Id of the subscription on the server. */
  id: string;
  /** Language of the user's page. */
  locale: string;
}

/** Stores the owner, so that the worker can register a changed subscription. Without storage the switch in Settings does that. */
export async function keepPushOwner(owner: PushOwner): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(KEY, Response.json(owner));
  } catch {
    // Caches are unavailable, for example in a private window.
  }
}

/** Returns the stored owner; null when there is none or nothing can be stored. */
export async function readPushOwner(): Promise<PushOwner | null> {
  return (await (await globalThis.caches?.match(KEY, { cacheName: CACHE }))?.json()) ?? null;
}

/** Deletes the owner and ends the subscription; the push service then rejects messages. */
export async function endPushes(): Promise<void> {
  const forget = async () => globalThis.caches?.delete(CACHE);
  await forget().catch(() => undefined);
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

/** Maximum wait for the push service at sign-out, ms. */
const END_MS_MAX = 2_000;

/** Ends pushes before sign-out, ignoring failures. */
export async function endPushesSoon(): Promise<void> {
  const ended = endPushes().catch(() => undefined);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_MS_MAX))]);
}
