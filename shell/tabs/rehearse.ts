import { whenIdle } from '../app/scheduling';
import s from './rehearse.module.css';

/** The longest that a page may take to be rendered out of sight before its rehearsal is given up, ms. */
const RENDERED_MS_MAX = 10_000;

/**
 * Lays a copy of a page out once, unseen and in idle time, as soon as it has been rendered out of sight. Most of what a
 * first layout costs is work that the browser keeps: fonts in the weights and widths of the page, shapes of its words,
 * styles of its elements. The copy runs nothing, is seen by nobody and is gone within the same task. Only where one can
 * point: a finger comes without a warning that would leave time for it.
 * @param place the element that the page will fill; its width is the page's
 */
export function rehearse(page: HTMLElement, place: HTMLElement): void {
  if (!matchMedia('(hover: hover)').matches) return;
  const stop = () => {
    rendered.disconnect();
    clearTimeout(timer);
  };
  const rendered = new MutationObserver(() => {
    stop();
    whenIdle(() => layOut(page, place));
  });
  const timer = setTimeout(stop, RENDERED_MS_MAX);
  rendered.observe(page, { childList: true, subtree: true });
}

function layOut(page: HTMLElement, place: HTMLElement): void {
  const copy = page.cloneNode(true) as HTMLElement;
  // React hides what it renders ahead by this.
  for (const child of copy.children) (child as HTMLElement).style.removeProperty('display');
  copy.inert = true;
  copy.className = s.copy ?? '';
  place.append(copy);
  copy.getBoundingClientRect();
  copy.remove();
}
