/**
 * The element that a page fills. While the page is kept it stands outside of the document: nothing in it is found, read, focused or laid
 * out, and it is the same when it comes back.
 */
export interface PageHost {
  readonly element: HTMLElement;
  attach(place: HTMLElement): void;
  detach(): void;
  /** Lists and tables that were scrolled in themselves are where they were; called when the page is to be seen again. */
  restoreScroll(): void;
}

export function createPageHost(): PageHost {
  const element = document.createElement('div');
  const scrolled = new Map<Element, { left: number; top: number }>();
  element.addEventListener(
    'scroll',
    ({ target }) => {
      if (target instanceof Element) scrolled.set(target, { left: target.scrollLeft, top: target.scrollTop });
    },
    { capture: true, passive: true },
  );
  return {
    element,
    attach: (place) => place.append(element),
    detach: () => element.remove(),
    restoreScroll() {
      for (const [box, { left, top }] of scrolled) {
        if (!element.contains(box)) scrolled.delete(box);
        else box.scrollTo({ left, top, behavior: 'instant' });
      }
    },
  };
}
