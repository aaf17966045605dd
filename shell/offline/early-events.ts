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
