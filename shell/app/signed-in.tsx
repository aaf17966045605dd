import { type TabId, useMediaQuery, useStore, useTabs, useTexts, WIDE } from '@cord/sdk';
import { Dialog, prefetchOverlays, TabErrorPanel, Toaster } from '@cord/ui';
import {
  Activity,
  type ComponentType,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ConnectionStrip } from '../connection/connection-strip';
import { Dashboard } from '../dashboard/dashboard';
import { BottomBar } from '../header/bottom-bar';
import { Header } from '../header/header';
import { MenuSheet } from '../header/menu-sheet';
import { useKeepLastSeen } from '../session/last-seen';
import { NodeAnnouncements } from '../session/node-announcements';
import { SignOutDialog } from '../session/sign-out-dialog';
import { useAutoStart } from '../session/use-auto-start';
import { useFreshUser } from '../session/use-fresh-user';
import { useLive } from '../session/use-live';
import { useNotifications } from '../session/use-notifications';
import { useRateWatch } from '../session/use-rate-watch';
import { layOutAhead, unveil } from '../tabs/lay-out-ahead';
import { isModuleTab } from '../tabs/module-tabs';
import { PageSkeleton } from '../tabs/page-skeleton';
import { prepareTab, settingsWanted } from '../tabs/prepare-tab';
import { titleOfTab } from '../tabs/tab-state';
import { TAB_TEXTS } from '../tabs/texts';
import { Area, OverlayArea, QuietArea } from './area';
import { LEDGER, MODULE_TAB, SETTINGS, WELCOME } from './bundles';
import { LaterBundle } from './later-bundle';
import { MissingOverlays } from './missing-overlays';
import { whenIdle } from './scheduling';
import { useShell } from './shell-context';
import s from './signed-in.module.css';
import { APP_TEXTS } from './texts';
import { useStages } from './use-stages';

/** Everything behind the sign-in: header, the current tab, the welcome popup, toasts. */
export function SignedIn() {
  const t = useTexts(APP_TEXTS);
  const wide = useMediaQuery(WIDE);
  const [menuOpen, setMenuOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const welcoming = useStore(useShell().startup.welcome) !== null;
  const onScreen = useStages() > 0;
  useOverlaysFromFirstTouch();

  return (
    <div className={s.app}>
      <a className={s.skip} href="#page">
        {t.skip}
      </a>
      <Area part="header" name={t.header}>
        <Header onSignOut={() => setLeaving(true)} onOpenMenu={() => setMenuOpen(true)} />
      </Area>
      <QuietArea part="connection">
        <ConnectionStrip />
      </QuietArea>
      <MissingOverlays />
      <Page />
      {!wide && (
        <>
          <BottomBar menuOpen={menuOpen} onOpenMenu={() => setMenuOpen(true)} />
          {onScreen && (
            <OverlayArea part="menu" name={t.menu} open={menuOpen} onOpenChange={setMenuOpen}>
              <MenuSheet open={menuOpen} onOpenChange={setMenuOpen} onSignOut={() => setLeaving(true)} />
            </OverlayArea>
          )}
        </>
      )}
      {welcoming && (
        <QuietArea part="welcome">
          <LaterBundle load={WELCOME} part="welcome" whenFailed={() => null} />
        </QuietArea>
      )}
      {onScreen && (
        <OverlayArea part="sign-out" name={t.signOut} open={leaving} onOpenChange={setLeaving}>
          <SignOutDialog open={leaving} onOpenChange={setLeaving} />
        </OverlayArea>
      )}
      {onScreen && (
        <QuietArea part="live">
          <Live />
        </QuietArea>
      )}
      {onScreen && (
        <QuietArea part="watches">
          <Watches />
        </QuietArea>
      )}
      <QuietArea part="announcements">
        <NodeAnnouncements />
      </QuietArea>
      <Ledger />
      <QuietArea part="toasts">
        <Toaster />
      </QuietArea>
    </div>
  );
}

function Live() {
  useLive();
  return null;
}

/** What follows the user, the node and the network while the app is open; it has no picture, so it comes after the first. */
function Watches() {
  useFreshUser();
  useKeepLastSeen();
  useRateWatch();
  useAutoStart();
  useNotifications();
  usePrepareWhenIdle();
  return null;
}

/** The place of the current tab, and its title; a change of tab renders nothing around it. */
function Page() {
  const { current } = useTabs();
  const page = useFocusOnTabChange();
  useEffect(() => {
    document.title = titleOfTab(current);
  }, [current]);
  return (
    <main id="page" ref={page} tabIndex={-1} className={s.page}>
      <CurrentTab />
    </main>
  );
}

function CurrentTab() {
  const t = useTexts(TAB_TEXTS);
  const { current } = useTabs();
  return (
    <>
      {isModuleTab(current) && <LaterTab key={current} tab={current} load={MODULE_TAB} />}
      {current === 'dashboard' && (
        <Area part="dashboard" name={t.dashboard}>
          <Dashboard />
        </Area>
      )}
      <SettingsTab shown={current === 'settings'} />
    </>
  );
}

/** The same element each time, so that showing what was prepared renders none of it anew. */
const SETTINGS_TAB = <LaterTab tab="settings" load={SETTINGS} />;

/** Settings, rendered and laid out out of sight from the moment its tab is pointed at; left, it is gone. */
function SettingsTab({ shown }: { shown: boolean }) {
  const wanted = useStore(settingsWanted);
  useEffect(() => (shown ? () => settingsWanted.set(false) : undefined), [shown]);
  return shown || wanted ? <AheadOfNeed shown={shown}>{SETTINGS_TAB}</AheadOfNeed> : null;
}

/** What was made ahead is on screen with the next frame; that its effects run can wait for the one after. */
function AheadOfNeed({ shown, children }: { shown: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const running = useDeferredValue(shown);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    if (shown) return unveil(element);
    let waiting = true;
    if (element.parentElement !== null) layOutAhead(element, element.parentElement, () => waiting);
    return () => {
      waiting = false;
    };
  }, [shown]);
  return (
    <div ref={place}>
      <Activity mode={running ? 'visible' : 'hidden'}>{children}</Activity>
    </div>
  );
}

function LaterTab({ tab, load }: { tab: TabId; load: () => Promise<ComponentType> }) {
  const t = useTexts(TAB_TEXTS);
  return (
    <Area part={tab} name={t[tab]}>
      <LaterBundle
        load={load}
        part={tab}
        whileLoading={<PageSkeleton label={t[tab]} />}
        whenFailed={(again) => <TabErrorPanel title={t.failed({ tab: t[tab] })} {...again} />}
      />
    </Area>
  );
}

/** The ledger over the page, from the first time it is asked for. */
function Ledger() {
  const t = useTexts(APP_TEXTS);
  const { opened } = useShell().ledger;
  const open = useStore(opened);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (open) setAsked(true);
  }, [open]);
  useEffect(() => () => opened.set(false), [opened]);
  if (!asked) return null;
  return (
    <OverlayArea part="ledger" name={t.ledger} open={open} onOpenChange={opened.set}>
      <LaterBundle
        load={LEDGER}
        part="ledger"
        whenFailed={(again) => (
          <Dialog open={open} onOpenChange={opened.set} title={t.ledger}>
            <TabErrorPanel compact title={t.ledgerFailed} {...again} />
          </Dialog>
        )}
      />
    </OverlayArea>
  );
}

/** A change of tab starts at the top, and a keyboard or screen reader goes on from there; the first one is left as it is. */
function useFocusOnTabChange() {
  const { current } = useTabs();
  const page = useRef<HTMLElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    let painted: ReturnType<typeof setTimeout> | undefined;
    // With the next frame, whose layout is made in any case: earlier it would be one of the skeleton alone.
    const frame = requestAnimationFrame(() => {
      if (window.scrollY > 0) window.scrollTo(0, 0);
      painted = setTimeout(() => page.current?.focus({ preventScroll: true }));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(painted);
    };
  }, [current]);
  return page;
}

const IDLE_MS = 3_000;

/** The Mining page is where most go next: it is made ready once nothing else is. */
function usePrepareWhenIdle(): void {
  useEffect(() => {
    const timer = setTimeout(() => whenIdle(() => void prepareTab('node')), IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
}

const TOUCHES = ['pointerover', 'pointerdown', 'keydown', 'focusin'] as const;

/** Menus, dialogs and toasts are what a hand on the page leads to: at its first sign they are fetched. */
function useOverlaysFromFirstTouch(): void {
  useEffect(() => {
    const stop = () => {
      for (const name of TOUCHES) document.removeEventListener(name, fetchThem);
    };
    const fetchThem = () => {
      stop();
      prefetchOverlays();
    };
    for (const name of TOUCHES) document.addEventListener(name, fetchThem, { passive: true });
    return stop;
  }, []);
}
