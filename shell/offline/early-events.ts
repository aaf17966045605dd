/** The browser's install offer, if it came before Settings were opened (install.ts). */
export const earlyOffer: { event: Event | null } = { event: null };

/** Keeps the install offer for Settings and suppresses the browser's own prompt. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    earlyOffer.event = event;
  });
}

/** Handles clicks on notifications, passed on by the worker with the tab to open. */
export function listenToNotifications(go: (tab: string) => void): void {
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<{ kind?: unknown; tab?: unknown } | null>) => {
      if (data?.kind === 'go' && typeof data.tab === 'string') go(data.tab);
    },
  );
  // Without this, messages sent before the page had loaded would wait for ever.
  navigator.serviceWorker?.startMessages();
}
