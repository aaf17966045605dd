import { whenIdle } from '../app/scheduling';

/** The longest that a page may take to be rendered out of sight before its layout is given up, ms. */
const RENDERED_MS_MAX = 10_000;
/** Read by the design system's styles: unseen, and still. */
const WAITING = 'data-waiting';

/**
 * Lays a page that is being rendered out of sight out where it will stand, in idle time, as soon as it is there. The browser keeps
 * the styles and the layout of what it is told to skip (content-visibility), so that showing the page has only to paint it.
 * @param place the element that the page will stand in; it is put at its end
 * @param isWaiting whether the page is still to be shown later
 */
export function layOutAhead(page: HTMLElement, place: HTMLElement, isWaiting: () => boolean): void {
  if (!CSS.supports('content-visibility', 'hidden')) return;
  const layOut = () =>
    whenIdle(() => {
      if (isWaiting() && !page.hasAttribute(WAITING)) layOutNow(page, place);
    });
  if (page.hasChildNodes()) {
    layOut();
    return;
  }
  const stop = () => {
    rendered.disconnect();
    clearTimeout(timer);
  };
  const rendered = new MutationObserver(() => {
    stop();
    layOut();
  });
  const timer = setTimeout(stop, RENDERED_MS_MAX);
  rendered.observe(page, { childList: true });
}

/** Shows a page that React has rendered ahead, before React itself does so: it may then take its time. */
export function unveil(page: HTMLElement): void {
  // How React's Activity keeps what it renders out of sight: on the outermost elements, over whatever they say themselves. What a
  // page hides by itself stays hidden. It is the shell's own React that rendered it, of one exact version; sdk/lifecycles.test.tsx
  // sees when another does it differently.
  for (const { style } of page.children as HTMLCollectionOf<HTMLElement>) {
    if (style.getPropertyPriority('display') === 'important') style.removeProperty('display');
  }
  page.removeAttribute(WAITING);
}

/** Within one task, so that nothing of it is painted. */
function layOutNow(page: HTMLElement, place: HTMLElement): void {
  unveil(page);
  if (page.parentElement !== place) place.append(page);
  page.getBoundingClientRect();
  page.setAttribute(WAITING, '');
}
