import { useSdk } from '@cord/sdk';
import { PagePlace, type TabId } from '@cord/sdk/host';
import { Activity, type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { keptTabsOf } from './kept-tabs';

interface KeptPageProps {
  tab: TabId;
  /** False while it is kept: detached from the document, with its effects off. */
  onScreen: boolean;
  children: ReactNode;
}

/** A page of the shell or a module that is kept unchanged: elements, state and scroll positions. */
export function KeptPage({ tab, onScreen, children }: KeptPageProps) {
  const { restoreScroll } = keptTabsOf(useSdk());
  const [host] = useState(createPageHost);
  const place = useRef<HTMLDivElement>(null);
  const returns = useRef(false);
  // It is detached at once; its effects end after the new page is shown.
  const left = useDeferredValue(!onScreen);
  const running = onScreen || !left;
  useLayoutEffect(() => {
    if (!onScreen || place.current === null) return;
    host.attach(place.current);
    if (returns.current) {
      host.restoreScroll();
      restoreScroll(tab);
    }
    return () => {
      host.detach();
      returns.current = true;
    };
  }, [onScreen, host, restoreScroll, tab]);
  return (
    <div ref={place}>
      {createPortal(
        <PagePlace tab={tab} onScreen={running}>
          <Activity mode={running ? 'visible' : 'hidden'}>{children}</Activity>
        </PagePlace>,
        host.element,
      )}
    </div>
  );
}

/**
 * Container of a page. A kept page is detached from the document, so that nothing in it is found, read, focused or
 * laid out, and returns unchanged.
 */
interface PageHost {
  readonly element: HTMLElement;
  attach(place: HTMLElement): void;
  detach(): void;
  /** Restores the scroll positions of inner lists and tables, when the page is shown again. */
  restoreScroll(): void;
}

function createPageHost(): PageHost {
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
