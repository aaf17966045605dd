import { useMiningSession, useSession, useStore, useTabs, useTexts } from '@cord/sdk';
import { Dialog, prefetchOverlays, TabErrorPanel, Toaster, VisuallyHidden } from '@cord/ui';
import { useEffect, useRef, useState } from 'react';
import { ConnectionStrip } from '../connection/connection-strip';
import { Dashboard } from '../dashboard/dashboard';
import { BottomBar } from '../header/bottom-bar';
import { Header } from '../header/header';
import { MenuSheet } from '../header/menu-sheet';
import { useKeepLastSeen } from '../session/last-seen';
import { SignOutDialog } from '../session/sign-out-dialog';
import { useAutoStart } from '../session/use-auto-start';
import { useFreshUser } from '../session/use-fresh-user';
import { useNotifications } from '../session/use-notifications';
import { useRateWatch } from '../session/use-rate-watch';
import { isModuleTab } from '../tabs/module-tabs';
import { PageSkeleton } from '../tabs/page-skeleton';
import { prefetchTab } from '../tabs/tab-link';
import { titleOfTab } from '../tabs/tab-state';
import { TAB_TEXTS } from '../tabs/texts';
import { LEDGER, MODULE_TAB, SETTINGS, WELCOME } from './bundles';
import { LaterBundle } from './later-bundle';
import { useMediaQuery, WIDE } from './media-query';
import { useShell } from './shell-context';
import s from './signed-in.module.css';
import { APP_TEXTS } from './texts';

/** Everything behind the sign-in: header, the current tab, the welcome popup, toasts. */
export function SignedIn() {
  const t = useTexts(APP_TEXTS);
  const wide = useMediaQuery(WIDE);
  const [menuOpen, setMenuOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const welcoming = useStore(useShell().startup.welcome) !== null;
  useFreshUser();
  useKeepLastSeen();
  useRateWatch();
  useAutoStart();
  useNotifications();
  usePrefetchWhenIdle();
  useOverlaysFromFirstTouch();

  return (
    <div className={s.app}>
      <a className={s.skip} href="#page">
        {t.skip}
      </a>
      <Header onSignOut={() => setLeaving(true)} onOpenMenu={() => setMenuOpen(true)} />
      <ConnectionStrip />
      <Page />
      {!wide && (
        <>
          <BottomBar menuOpen={menuOpen} onOpenMenu={() => setMenuOpen(true)} />
          <MenuSheet open={menuOpen} onOpenChange={setMenuOpen} onSignOut={() => setLeaving(true)} />
        </>
      )}
      {welcoming && <LaterBundle load={WELCOME} whenFailed={() => null} />}
      <SignOutDialog open={leaving} onOpenChange={setLeaving} />
      <NodeAnnouncements />
      <Ledger />
      <Toaster />
    </div>
  );
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
  if (isModuleTab(current)) {
    return (
      <LaterBundle
        load={MODULE_TAB}
        whileLoading={<PageSkeleton label={t[current]} />}
        whenFailed={(again) => <TabErrorPanel title={t.failed({ tab: t[current] })} {...again} />}
      />
    );
  }
  return current === 'settings' ? <SettingsTab /> : <Dashboard />;
}

function SettingsTab() {
  const t = useTexts(TAB_TEXTS);
  return (
    <LaterBundle
      load={SETTINGS}
      whileLoading={<PageSkeleton label={t.settings} />}
      whenFailed={(again) => <TabErrorPanel title={t.failed({ tab: t.settings })} {...again} />}
    />
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
    <LaterBundle
      load={LEDGER}
      whenFailed={(again) => (
        <Dialog open={open} onOpenChange={opened.set} title={t.ledger}>
          <TabErrorPanel compact title={t.ledgerFailed} {...again} />
        </Dialog>
      )}
    />
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
    // With the next frame, whose layout is made in any case: earlier it would be one of the skeleton alone.
    const frame = requestAnimationFrame(() => {
      window.scrollTo(0, 0);
      page.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [current]);
  return page;
}

const IDLE_MS = 3_000;

/** The Mining page is where most go next: it is fetched once nothing else is. */
function usePrefetchWhenIdle(): void {
  useEffect(() => {
    const timer = setTimeout(() => prefetchTab('node'), IDLE_MS);
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

/** Speaks what happens to the node wherever the user is: start, stop, pause (look.md, Speech). */
function NodeAnnouncements() {
  const status = useMiningSession()?.status ?? 'idle';
  const { user } = useSession();
  const before = useRef(status);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (before.current === status) return;
    const known = before.current !== 'idle' || status !== 'idle';
    before.current = status;
    if (!known || user === null) return;
    const t = APP_TEXTS.get();
    setWords(status === 'active' ? t.nodeOnline : status === 'paused' ? t.nodePaused : t.nodeOffline);
  }, [status, user]);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}
