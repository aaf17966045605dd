import { Lazy, type LazyFile, useSdk, useStore, useTabs, useTexts } from '@cord/sdk';
import { pageTitle, type TabId } from '@cord/sdk/host';
import { TabErrorPanel } from '@cord/ui';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Area } from '../app/area';
import { MODULE_PAGES, SETTINGS } from '../app/lazy-files';
import { useShell } from '../app/shell-context';
import { Dashboard } from '../dashboard/dashboard';
import { isOwnTab, type OwnTabId } from '../federation/entries';
import { useRegistry, useRegistryState } from '../federation/registry-context';
import { KeptPage } from './kept-page';
import { keptTabsOf } from './kept-tabs';
import { PageSkeleton } from './page-skeleton';
import { useTabList, useTabName } from './tab-list';
import { TAB_TEXTS } from './texts';

/** Renders the current tab and sets the title; a tab change renders nothing around it. */
export function CurrentTab({ className }: { className: string | undefined }) {
  const { current } = useTabs();
  const page = useFocusOnTabChange();
  const { title } = useTexts(TAB_TEXTS);
  const name = useTabName(current);
  const pageName = useStore(pageTitle) ?? name;
  useEffect(() => {
    document.title = title({ tab: pageName });
  }, [title, pageName]);
  return (
    <main id="page" ref={page} tabIndex={-1} className={className}>
      <ModulesTabs current={current} />
      <OwnTab tab="dashboard">{DASHBOARD}</OwnTab>
      <OwnTab tab="settings">{SETTINGS_TAB}</OwnTab>
    </main>
  );
}

/* Stable elements, so that a kept page does not render when it returns. */
const DASHBOARD = <Dashboard />;
const SETTINGS_TAB = <LazyTab tab="settings" of={SETTINGS} />;

/** Pages of the modules, from the first visit on. */
function ModulesTabs({ current }: { current: TabId }) {
  const name = useTabName(current);
  const known = useRegistryState().status;
  const isListed = useTabList().some(({ id }) => id === current);
  const isOwn = isOwnTab(current);
  const [visited, setVisited] = useState(false);
  useLayoutEffect(() => {
    if (isListed && !isOwn) setVisited(true);
  }, [isListed, isOwn]);
  return (
    <>
      {!isListed &&
        !isOwn &&
        (known === 'known' ? <UnknownTab /> : <TabNotKnown name={name} failed={known === 'failed'} />)}
      {(visited || (isListed && !isOwn)) && (
        <Area part={current} name={name}>
          <LazyTab tab={current} of={MODULE_PAGES} hidden={isOwn} />
        </Area>
      )}
    </>
  );
}

/** A tab in the address that no module provides, or not for this user. */
function UnknownTab() {
  const { tabs } = useShell();
  useLayoutEffect(() => tabs.fallBack(), [tabs]);
  return null;
}

/** The registry is not embedded in the page; it must load before the owner of this tab is known. */
function TabNotKnown({ name, failed }: { name: string; failed: boolean }) {
  const t = useTexts(TAB_TEXTS);
  const registry = useRegistry();
  useEffect(() => registry.refresh(0), [registry]);
  if (!failed) return <PageSkeleton label={name} />;
  return <TabErrorPanel title={t.failed({ tab: name })} retryText={t.retry} onRetry={() => registry.refresh(0)} />;
}

/** A page of the shell, current or kept. After an error it is created again at the next visit. */
function OwnTab({ tab, children }: { tab: OwnTabId; children: ReactNode }) {
  const t = useTexts(TAB_TEXTS);
  const { current } = useTabs();
  const kept = useStore(keptTabsOf(useSdk()).tabs);
  const failed = useRef(false);
  const [dropped, setDropped] = useState(false);
  const shown = current === tab;
  useEffect(() => {
    if (shown) setDropped(false);
    else if (failed.current) {
      failed.current = false;
      setDropped(true);
    }
  }, [shown]);
  if (!shown && (dropped || !kept.includes(tab))) return null;
  return (
    <KeptPage tab={tab} onScreen={shown}>
      <Area
        part={tab}
        name={t[tab]}
        onFailed={() => {
          failed.current = true;
        }}
      >
        {children}
      </Area>
    </KeptPage>
  );
}

function LazyTab({ tab, of, hidden = false }: { tab: TabId; of: LazyFile; hidden?: boolean }) {
  const t = useTexts(TAB_TEXTS);
  const name = useTabName(tab);
  return (
    <Lazy
      of={of}
      part={tab}
      loading={hidden ? null : <PageSkeleton label={name} />}
      failed={(again) => (hidden ? null : <TabErrorPanel title={t.failed({ tab: name })} {...again} />)}
    />
  );
}

/** Starts a new page at the top and a kept one at its scroll position, and focuses `main`. The first page is left unchanged. */
function useFocusOnTabChange() {
  const sdk = useSdk();
  const { restoreScroll } = keptTabsOf(sdk);
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    let frame = 0;
    let painted: ReturnType<typeof setTimeout> | undefined;
    const cancel = () => {
      cancelAnimationFrame(frame);
      clearTimeout(painted);
    };
    const stop = sdk.tabs.current.listen((current) => {
      cancel();
      // In the next frame, which needs a layout anyway.
      frame = requestAnimationFrame(() => {
        restoreScroll(current);
        painted = setTimeout(() => page.current?.focus({ preventScroll: true }));
      });
    });
    return () => {
      stop();
      cancel();
    };
  }, [sdk, restoreScroll]);
  return page;
}
