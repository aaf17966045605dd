import { tabStorage } from '@cord/sdk';

/** Maximum time for a reloaded page to restore its scroll position, ms. */
export const RESTORE_MS_MAX = 10_000;

/** Events of a user who scrolls or acts, which end the restoration. */
const READING_ON = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'] as const;

export interface ReloadScroll {
  /** Stops the restoration, for example on a tab change. */
  giveUp(): void;
  /** Stops storing positions. */
  stop(): void;
}

/** Storage key of the position, as `1300 /?tab=tasks`; the history's state cannot be written while a page closes. */
const KEPT = 'cord.scroll';

/** Restores the scroll position after a reload; the browser gives up before the content is loaded. */
export function createReloadScroll(): ReloadScroll {
  const address = () => `${location.pathname}${location.search}`;
  const [wanted, of] = (tabStorage.getItem(KEPT) ?? '').split(' ');
  history.scrollRestoration = 'manual';
  const keep = () => tabStorage.setItem(KEPT, `${window.scrollY} ${address()}`);
  window.addEventListener('pagehide', keep);
  const giveUp = of === address() && Number(wanted) > 0 ? restore(Number(wanted)) : () => undefined;
  return {
    giveUp,
    stop() {
      giveUp();
      window.removeEventListener('pagehide', keep);
    },
  };
}

/** Scrolls to the position each time the page grows, until the user acts. @returns a function that stops it */
function restore(top: number): () => void {
  const growth = new ResizeObserver(() => window.scrollTo({ top, behavior: 'instant' }));
  growth.observe(document.body);
  const tooLate = setTimeout(giveUp, RESTORE_MS_MAX);
  for (const act of READING_ON) window.addEventListener(act, giveUp, { passive: true });
  function giveUp(): void {
    growth.disconnect();
    clearTimeout(tooLate);
    for (const act of READING_ON) window.removeEventListener(act, giveUp);
  }
  return giveUp;
}
