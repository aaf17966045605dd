import { useSdk } from '@cord/sdk';
import { PagePlace, type TabId } from '@cord/sdk/host';
import { Activity, type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { keptTabsOf } from './kept-tabs';

interface KeptPageProps {
  tab: TabId;
  /** False while it is kept: out of the document, and nothing of it runs. */
  onScreen: boolean;
  children: ReactNode;
}

/** A page, of the shell or of a module, that stays as it was left: its elements, its state, and where it and the window were scrolled to. */
export function KeptPage({ tab, onScreen, children }: KeptPageProps) {
  const { restoreScroll } = keptTabsOf(useSdk());
  const [host] = useState(createPageHost);
  const place = useRef<HTMLDivElement>(null);
  const returns = useRef(false);
  // Out of the document at once; what runs in it is turned off after the page that is seen has come.
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
 * The element that a page fills. While the page is kept it stands outside of the document: nothing in it is found, read, focused or laid
 * out, and it is the same when it comes back.
 */
interface PageHost {
  readonly element: HTMLElement;
  attach(place: HTMLElement): void;
  detach(): void;
  /** Lists and tables that were scrolled in themselves are where they were; called when the page is to be seen again. */
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
