interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): WorkerPolicy;
}

const ADDRESS = '/sw.js';

/**
 * Has the browser keep the offline page, once the page itself is there. Without service workers, or when the registration fails,
 * everything works but a page opened without a network.
 */
export function registerWorker(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const register = () => void serviceWorker.register(trusted(ADDRESS)).catch(() => undefined);
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

/** The page requires Trusted Types: a worker's address needs a policy, and this one trusts a single address. */
function trusted(address: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  const policy = factory?.createPolicy('cord-worker', { createScriptURL: (url) => (url === ADDRESS ? url : '') });
  return (policy?.createScriptURL(address) ?? address) as string;
}
