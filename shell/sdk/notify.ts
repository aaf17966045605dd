import type { TabId } from './tabs';
import { SHORT_TOAST_MS, type Toasts } from './toasts';

/** What is told to who has notifications on. */
export interface Notice {
  /** Where a click on it leads. */
  tab: TabId;
  title: string;
  text: string;
}

/** On the page as a toast; past it where the user has allowed it and looks elsewhere. */
export function notify(toasts: Toasts, { tab, title, text }: Notice): void {
  toasts.show({ kind: 'info', title, text, durationMs: SHORT_TOAST_MS });
  if (document.visibilityState === 'visible' || typeof Notification === 'undefined') return;
  if (Notification.permission !== 'granted') return;
  // Phones know notifications of a worker only.
  void navigator.serviceWorker?.ready.then((worker) =>
    worker.showNotification(title, { body: text, icon: '/icons/icon-192.png', tag: title, data: { tab } }),
  );
}

/** Asks the browser for leave to tell past the page; only ever after a press. The toast on the page needs none. */
export function askForNotifications(): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'default') return;
  void Notification.requestPermission().catch(() => undefined);
}
