import { createStore, type Store } from '@cord/sdk';
import { earlyOffer } from './early-events';

/** The browser's install event (Chromium only; not in TypeScript's DOM). */
interface InstallOffer extends Event {
  /** Shows the browser's prompt; it may be called once. */
  prompt(): Promise<unknown>;
}

const offered = createStore<InstallOffer | null>(null);

/** The browser's install offer; null without one. */
export const installOffer: Store<InstallOffer | null> = offered;

/** Listens to install offers, including an earlier one. @returns a function that stops it */
export function listenToInstallOffers(): () => void {
  const keep = (event: Event) => offered.set(event as InstallOffer);
  const forget = () => offered.set(null);
  offered.set(earlyOffer.event as InstallOffer | null);
  addEventListener('beforeinstallprompt', keep);
  addEventListener('appinstalled', forget);
  return () => {
    removeEventListener('beforeinstallprompt', keep);
    removeEventListener('appinstalled', forget);
  };
}

/** Shows the browser's prompt. This uses up the offer; the browser may make another later. */
export async function install(): Promise<void> {
  const offer = offered.get();
  earlyOffer.event = null;
  offered.set(null);
  await offer?.prompt();
}
