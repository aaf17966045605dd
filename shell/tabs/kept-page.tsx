import { useSdk } from '@cord/sdk';
import { PagePlace, type TabId } from '@cord/sdk/host';
import { Activity, type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { keptTabsOf } from './kept-tabs';
import { createPageHost } from './page-host';

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
