import { tabStorage } from '@cord/sdk';

/** By then a page that is loaded anew has its content, or its place is given up, ms. */
export const RESTORE_MS_MAX = 10_000;

/** What a person does who reads on from where the page is now. */
const READING_ON = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'] as const;

export interface ReloadScroll {
  /** The place is looked for no more, as when the tab changes. */
  giveUp(): void;
  /** Keeps no place any more. */
  stop(): void;
}

/** Where the place is kept, as `1300 /?tab=tasks`; the state of the history takes nothing from a page that goes. */
const KEPT = 'cord.scroll';

/** Keeps the window's place over a reload: the browser gives up its own before the content is there. */
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

/** Puts the window there each time that the page grows, until somebody reads on. @returns gives it up */
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
