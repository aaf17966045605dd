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
export function registerWorker(browser: Pick<Window, 'addEventListener'> & { document: Document } = window): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const register = () => void serviceWorker.register(trusted(ADDRESS)).catch(() => undefined);
  if (browser.document.readyState === 'complete') register();
  else browser.addEventListener('load', register, { once: true });
}

/** The browser's offer to install the app, if it came before Settings were opened (install.ts). */
export const earlyOffer: { event: Event | null } = { event: null };

/** Keeps that offer for Settings: the page never opens the browser's prompt by itself. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    earlyOffer.event = event;
  });
}

/** A click on a notification, as the worker hands it on: it names the tab to go to. */
export function listenToNotifications(go: (tab: string) => void): void {
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<{ kind?: unknown; tab?: unknown } | null>) => {
      if (data?.kind === 'go' && typeof data.tab === 'string') go(data.tab);
    },
  );
  // Without this, what was sent before the page had loaded waits for ever.
  navigator.serviceWorker?.startMessages();
}

/** The page requires Trusted Types: a worker's address needs a policy, and this one trusts a single address. */
function trusted(address: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  const policy = factory?.createPolicy('cord-worker', { createScriptURL: (url) => (url === ADDRESS ? url : '') });
  return (policy?.createScriptURL(address) ?? address) as string;
}
