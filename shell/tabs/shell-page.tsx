import { PagePlace, type TabId, useSdk } from '@cord/sdk';
import { Activity, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
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
        <PagePlace tab={tab} onScreen={onScreen}>
          <Activity mode={onScreen ? 'visible' : 'hidden'}>{children}</Activity>
        </PagePlace>,
        host.element,
      )}
    </div>
  );
}
