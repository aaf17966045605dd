interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): WorkerPolicy;
}

const ADDRESS = '/sw.js';

/**
 * Registers the worker of the offline page once the page has loaded. Without it everything works except opening a
 * page offline.
 */
export function registerWorker(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const register = () => void serviceWorker.register(trusted(ADDRESS)).catch(() => undefined);
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

/** Trusted Types require a policy for the worker's address; this one allows a single address. */
function trusted(address: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  const policy = factory?.createPolicy('cord-worker', { createScriptURL: (url) => (url === ADDRESS ? url : '') });
  return (policy?.createScriptURL(address) ?? address) as string;
}
