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

/** The place of the current tab, and its title; a change of tab renders nothing around it. */
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

/* The same elements each time, so that showing what was kept renders none of it anew. */
const DASHBOARD = <Dashboard />;
const SETTINGS_TAB = <LazyTab tab="settings" of={SETTINGS} />;

/** The pages of the modules, from the first that is visited on. */
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
        (known === 'known' ? <NobodysTab /> : <TabNotKnown name={name} failed={known === 'failed'} />)}
      {(visited || (isListed && !isOwn)) && (
        <Area part={current} name={name}>
          <LazyTab tab={current} of={MODULE_PAGES} hidden={isOwn} />
        </Area>
      )}
    </>
  );
}

/** A tab that an address names and nobody brings, or not to this user. */
function NobodysTab() {
  const { tabs } = useShell();
  useLayoutEffect(() => tabs.fallBack(), [tabs]);
  return null;
}

/** What is published did not come with the page: it is requested, and only then it is known whose tab this is. */
function TabNotKnown({ name, failed }: { name: string; failed: boolean }) {
  const t = useTexts(TAB_TEXTS);
  const registry = useRegistry();
  useEffect(() => registry.lookAgain(0), [registry]);
  if (!failed) return <PageSkeleton label={name} />;
  return <TabErrorPanel title={t.failed({ tab: name })} retryText={t.retry} onRetry={() => registry.lookAgain(0)} />;
}

/** A page of the shell's own: while its tab is the current one, and kept after it. One that failed is made anew at the next visit. */
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

/** A new page starts at the top, one that was kept where it was left; a keyboard or screen reader goes on from `main`. The first is left as it is. */
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
      // With the next frame, whose layout is made in any case.
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
