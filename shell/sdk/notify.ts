import type { TabId } from './tabs';
import { SHORT_TOAST_MS, type Toasts } from './toasts';

/** What is told on the page. */
export interface Notice {
  tab: TabId;
  title: string;
  text: string;
}

/**
 * A toast, for modules of releases before: what is told past the page is pushed by services/notices.
 * @deprecated show a toast
 */
export function notify(toasts: Toasts, { title, text }: Notice): void {
  toasts.show({ kind: 'info', title, text, durationMs: SHORT_TOAST_MS });
}
