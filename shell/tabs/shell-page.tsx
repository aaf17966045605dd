import { useSdk } from '@cord/sdk';
import { PagePlace, type TabId } from '@cord/sdk/host';
import { Activity, type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { keptTabsOf } from './kept-tabs';
import { createPageHost } from './page-host';

interface ShellPageProps {
  tab: TabId;
  onScreen: boolean;
  children: ReactNode;
}

/** A page of the shell's own, kept as those of the modules are: out of the document, and nothing of it runs. */
export function ShellPage({ tab, onScreen, children }: ShellPageProps) {
  const { restoreScroll } = keptTabsOf(useSdk());
  const [host] = useState(createPageHost);
  const place = useRef<HTMLDivElement>(null);
  // Out of the document at once; what runs in it is turned off after the page that is seen has come.
  const left = useDeferredValue(!onScreen);
  const running = onScreen || !left;
  useLayoutEffect(() => {
    if (!onScreen || place.current === null) return;
    host.attach(place.current);
    host.restoreScroll();
    restoreScroll(tab);
    return host.detach;
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
