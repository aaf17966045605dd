/** A signed payment that is not handed in yet is worth more than a clean device. */
const KEPT: ReadonlySet<string> = new Set(['cord.payment']);

interface Device {
  storages: readonly Storage[];
  caches?: CacheStorage | undefined;
  serviceWorker?: ServiceWorkerContainer | undefined;
}

/**
 * Takes what this browser keeps of the app: choices, a friend's code that waits, the offline page. The sign-in stays, and so
 * does a payment under way.
 */
export async function clearDevice(device: Device = deviceHere()): Promise<void> {
  for (const storage of device.storages) {
    for (const key of Object.keys(storage)) if (!KEPT.has(key)) storage.removeItem(key);
  }
  const names = (await device.caches?.keys()) ?? [];
  await Promise.all(names.map((name) => device.caches?.delete(name)));
  const workers = (await device.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
}

function deviceHere(): Device {
  return {
    storages: [localStorage, sessionStorage],
    caches: 'caches' in globalThis ? caches : undefined,
    serviceWorker: navigator.serviceWorker,
  };
}
