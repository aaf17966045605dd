import { createStore, deviceStorage, type Sdk, tabStorage, type WritableStore } from '@cord/sdk';
import { createSdk, forgetPerson, installSdk } from '@cord/sdk/host';
import { toasts } from '@cord/ui';
import { type ConnectFlow, createConnectFlow } from '../auth-modal/connect-flow';
import { takeErrorDescription } from '../auth-modal/error-description';
import { moduleVersions } from '../federation/module-versions';
import { SDK_VERSION } from '../federation/sdk-version';
import { createLedger, type ShellLedger } from '../ledger/ledger-host';
import { takeArrival } from '../session/arrival';
import { endOf } from '../session/ended-elsewhere';
import { followSignOuts, isLeaving } from '../session/leaving';
import { createPendingReferral, type PendingReferral } from '../session/pending-referral';
import { createStartup, type Startup } from '../session/startup';
import { createTabState, currentQuery, type TabState } from '../tabs/tab-state';
import { type Appearance, createAppearance } from '../theme/theme';
import { expectNoSession, expectsSession, fetchLikelyBundle } from './bundles';
import { followLanguage } from './language';
import { ownTask } from './scheduling';
import { SHELL_VERSION } from './shell-version';

/** How a session ended: by sign-out, by account deletion, or on this page only, with the reason why the server did not confirm it. */
export type Ended = 'signed-out' | 'erased' | { unconfirmed: string };

/** All parts of the shell, created once per page. */
export interface Shell {
  sdk: Sdk;
  startup: Startup;
  /** Whether the page waits for the session before it renders. */
  sessionExpected: boolean;
  connect: ConnectFlow;
  tabs: TabState;
  appearance: Appearance;
  referral: PendingReferral;
  ledger: ShellLedger;
  /** How a session ended on this page: by the user, in another tab, or by expiry; null while none did. */
  ended: WritableStore<Ended | null>;
  /** Whether the sign-out confirmation is open. */
  signingOut: WritableStore<boolean>;
}

export function createShell(): Shell {
  const arrival = takeArrival(location, history);
  const referral = createPendingReferral(tabStorage, deviceStorage);
  const sessionExpected = arrival.welcome !== null || expectsSession();
  void fetchLikelyBundle(sessionExpected);
  if (arrival.referral !== null) referral.keep(arrival.referral);

  const appearance = createAppearance(document, deviceStorage);
  const tabs = createTabState();
  const ledger = createLedger();
  const sdk = createSdk({
    tabs,
    toasts,
    ledger,
    running: {
      versions: { shell: SHELL_VERSION, sdk: SDK_VERSION },
      modules: moduleVersions,
    },
    beforeRead: ownTask,
    onNoSession: expectNoSession,
    onSessionLost: () => {
      if (!isLeaving()) connect.open();
    },
    // The page may have been restored by Back and has missed messages of other tabs.
    onSessionOfAnother: () => {
      forgetPerson();
      location.reload();
    },
  });
  installSdk(sdk);
  followSignOuts(sdk);
  followLanguage(document.documentElement, deviceStorage, sdk);

  const connect = createConnectFlow({
    api: sdk.api,
    referral: referral.get,
    wanted: () => currentQuery(tabs),
    navigate: (address) => location.assign(address),
  });
  // Back from Discord restores the page as it was left, so the modal leaves its redirecting state.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && connect.state.get().status === 'redirecting') connect.open();
  });
  const startup = createStartup({
    sdk,
    flow: connect,
    arrival,
    errorDescription: () => takeErrorDescription(document),
    expectsSession,
    // The sign-in included the referral code, and the server has handled it.
    onSignedIn: () => {
      if (arrival.welcome !== null) referral.forget();
    },
  });
  sdk.session.state.listen(({ user }, before) => {
    if (user?.id !== before.user?.id) toasts.clear();
    if (user !== null) appearance.follow(user.id, user.theme);
  });
  const ended = watchEnd(sdk);
  const signingOut = createStore(false);
  return { sdk, startup, sessionExpected, connect, tabs, appearance, referral, ledger, ended, signingOut };
}

/** Tracks how the session ended, and marks that the next start has no session to read. */
function watchEnd({ session, broadcast }: Sdk): WritableStore<Ended | null> {
  const ended = createStore<Ended | null>(null);
  let elsewhere: { userId: string; end: Ended } | null = null;
  let lastUserId: string | null = null;
  const show = (userId: string) => ended.set(elsewhere?.userId === userId ? elsewhere.end : 'signed-out');
  broadcast.listen((message) => {
    const end = endOf(message);
    if (end === null) return;
    elsewhere = { userId: message.userId, end };
    // The session may have ended here before this message.
    if (ended.get() !== null && lastUserId === message.userId) show(message.userId);
  });
  session.state.listen((now, before) => {
    if (now.status === 'signed-in') {
      if (before.user?.id !== now.user.id) elsewhere = null;
      lastUserId = now.user.id;
      ended.set(null);
      return;
    }
    // If the start could not read the session, it may still exist.
    if (before.status !== 'signed-in') return;
    expectNoSession();
    show(before.user.id);
  });
  return ended;
}
