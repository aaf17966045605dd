import { createStore, type Store } from '@cord/sdk';
import { earlyOffer } from './early-events';

/** What a browser hands a page that it would install (Chromium alone; not in TypeScript's DOM). */
interface InstallOffer extends Event {
  /** Shows the browser's prompt; may be called once. */
  prompt(): Promise<unknown>;
}

const offered = createStore<InstallOffer | null>(null);

/** The browser's offer to install the app; null while it makes none. */
export const installOffer: Store<InstallOffer | null> = offered;

/** Receives the browser's offers, the one that came before as well. @returns ends it */
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

/** Shows the browser's own question. An offer is used up by that; the browser makes another when it likes. */
export async function install(): Promise<void> {
  const offer = offered.get();
  earlyOffer.event = null;
  offered.set(null);
  await offer?.prompt();
}
