import {
  AreaBoundary,
  createStore,
  Lazy,
  useMediaQuery,
  useStore,
  useTexts,
  WIDE,
  type WritableStore,
} from '@cord/sdk';
import { bringSignedInCode, createLive } from '@cord/sdk/host';
import { prefetchOverlays, Toaster } from '@cord/ui';
import { type MouseEvent, useEffect, useState } from 'react';
import { ConnectionStrip } from '../connection/connection-strip';
import { BottomBar } from '../header/bottom-bar';
import { Header } from '../header/header';
import { partsHost } from '../parts/parts-host';
import { Place } from '../parts/place';
import { useKeepLastSeen } from '../session/last-seen';
import { useAway } from '../session/use-away';
import { useFreshUser } from '../session/use-fresh-user';
import { useLedgerCheck } from '../session/use-ledger-check';
import { useLive } from '../session/use-live';
import { useReleases } from '../session/use-releases';
import { CurrentTab } from '../tabs/current-tab';
import { useTabList } from '../tabs/tab-list';
import { Area } from './area';
import {
  FAILURE_TEXTS,
  fetchAnswers,
  fetchMenu,
  fetchModulePages,
  fetchPages,
  fetchSettings,
  LEDGER,
  MENU,
  SIGN_OUT,
  WELCOME,
} from './lazy-files';
import { LazyOverlay } from './lazy-overlay';
import { MissingOverlays } from './missing-overlays';
import { whenQuiet } from './quiet';
import { ReloadNotice } from './reload-notice';
import { whenIdle } from './scheduling';
import { useShell } from './shell-context';
import s from './signed-in.module.css';
import { APP_TEXTS } from './texts';

bringSignedInCode({ createLive, parts: partsHost, callTexts: FAILURE_TEXTS });

/** Follows the skip link without changing the address, which would discard the state of views there. */
function skip(event: MouseEvent) {
  event.preventDefault();
  const page = document.getElementById('page');
  page?.scrollIntoView();
  page?.focus({ preventScroll: true });
}

/** The signed-in app: header, current tab, welcome popup, toasts. Overlays do not render it again. */
export function SignedIn() {
  const t = useTexts(APP_TEXTS);
  const [menu] = useState(() => createStore(false));
  const welcoming = useStore(useShell().startup.welcome) !== null;
  useFetchFromFirstTouch();

  return (
    <div className={s.app}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads within the page, and is a link for who reads by one */}
      <a className={s.skip} href="#page" onClick={skip}>
        {t.skip}
      </a>
      <Area part="header" name={t.header}>
        <Header onOpenMenu={() => menu.set(true)} />
      </Area>
      <AreaBoundary place={{ part: 'connection' }}>
        <ConnectionStrip />
      </AreaBoundary>
      <MissingOverlays />
      <ReloadNotice />
      <CurrentTab className={s.page} />
      <PhoneMenu opened={menu} />
      {welcoming && (
        <AreaBoundary place={{ part: 'welcome' }}>
          <Lazy of={WELCOME} part="welcome" failed={() => null} />
        </AreaBoundary>
      )}
      <SigningOut />
      <AreaBoundary place={{ part: 'live' }}>
        <Live />
      </AreaBoundary>
      <AreaBoundary place={{ part: 'watches' }}>
        <Watches />
      </AreaBoundary>
      <Place name="app.background" />
      <QuietParts />
      <Ledger />
      <AreaBoundary place={{ part: 'toasts' }}>
        <Toaster />
      </AreaBoundary>
    </div>
  );
}

/** Module parts without a place on the screen; they load once the page is quiet or at the first interaction. */
function QuietParts() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    const stops = [whenQuiet(want), onFirstTouch(want)];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return wanted && <Place name="app.quiet" />;
}

interface Opened {
  /** Whether it is open. */
  opened: WritableStore<boolean>;
}

/** Bottom bar of small screens, and the sheet that it opens. */
function PhoneMenu({ opened }: Opened) {
  const t = useTexts(APP_TEXTS);
  if (useMediaQuery(WIDE)) return null;
  return (
    <>
      <Bar opened={opened} />
      <LazyOverlay opened={opened} of={MENU} part="menu" name={t.menu} failedText={t.menuFailed} />
    </>
  );
}

function Bar({ opened }: Opened) {
  return <BottomBar menuOpen={useStore(opened)} onOpenMenu={() => opened.set(true)} />;
}

function SigningOut() {
  const t = useTexts(APP_TEXTS);
  const { signingOut } = useShell();
  // The dialog closes when the app unmounts.
  useEffect(() => () => signingOut.set(false), [signingOut]);
  return (
    <LazyOverlay opened={signingOut} of={SIGN_OUT} part="sign-out" name={t.signOut} failedText={t.signOutFailed} />
  );
}

function Live() {
  useLive();
  return null;
}

/** Background work for the user and the network while the app is open; Mining follows the node. */
function Watches() {
  // The popup after a sign-in reads the stored values first.
  const readable = useStore(useShell().startup.welcome) === null;
  useFreshUser();
  useAway();
  useKeepLastSeen(readable);
  useReleases();
  useLedgerCheck();
  usePagesOnceQuiet();
  return null;
}

/** The ledger overlay, loaded when it is first opened. */
function Ledger() {
  const t = useTexts(APP_TEXTS);
  const { opened } = useShell().ledger;
  useEffect(() => () => opened.set(false), [opened]);
  return <LazyOverlay opened={opened} of={LEDGER} part="ledger" name={t.ledger} failedText={t.ledgerFailed} />;
}

/** Preloads the module pages in idle time, so that a first visit needs no load and works offline. */
function usePagesOnceQuiet(): void {
  const modules = useTabList()
    .flatMap(({ module }) => module ?? [])
    .join();
  useEffect(
    () =>
      whenQuiet(() => {
        // A touch has no hover before it, so a tap may be the first interaction.
        if (matchMedia('(hover: none)').matches) fetchModulePages();
        fetchSettings();
        void fetchPages(modules.split(',').filter(Boolean));
      }),
    [modules],
  );
}

const FIRST_TOUCH_EVENTS = ['pointerover', 'pointerdown', 'keydown', 'focusin'] as const;

/** Calls back once, at the first interaction with the page. @returns a function that cancels it */
function onFirstTouch(callback: () => void): () => void {
  const stop = () => {
    for (const name of FIRST_TOUCH_EVENTS) document.removeEventListener(name, first);
  };
  const first = () => {
    stop();
    callback();
  };
  for (const name of FIRST_TOUCH_EVENTS) document.addEventListener(name, first, { passive: true });
  return stop;
}

/** Preloads tabs, menus, dialogs, answers and toasts after the first interaction; the code that it needs itself loads first. */
function useFetchFromFirstTouch(): void {
  useEffect(
    () =>
      onFirstTouch(() => {
        fetchModulePages();
        fetchAnswers();
        fetchMenu(matchMedia(WIDE).matches);
        whenIdle(prefetchOverlays);
        whenIdle(() => void FAILURE_TEXTS().catch(() => undefined));
      }),
    [],
  );
}
