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
import { followOthersLeaving, isLeaving } from '../session/leaving';
import { createPendingReferral, type PendingReferral } from '../session/pending-referral';
import { createStartup, type Startup } from '../session/startup';
import { createTabState, type TabState, wantedPlace } from '../tabs/tab-state';
import { type Appearance, createAppearance } from '../theme/theme';
import { expectNoSession, expectsSession, fetchLikelyBundle } from './bundles';
import { followLanguage } from './language';
import { ownTask } from './scheduling';
import { SHELL_VERSION } from './shell-version';

/** With the session, with the account itself, or on this page only, with the reason why the server did not confirm it. */
export type Ended = 'signed-out' | 'erased' | { unconfirmed: string };

/** Everything the shell is made of, wired once for the page. */
export interface Shell {
  sdk: Sdk;
  startup: Startup;
  /** Whether the page waits for the answer who is signed in before it shows anything. */
  sessionExpected: boolean;
  connect: ConnectFlow;
  tabs: TabState;
  appearance: Appearance;
  referral: PendingReferral;
  ledger: ShellLedger;
  /** How a sign-in session ended on this page, by the user, in another tab, or by itself; null while none did. */
  ended: WritableStore<Ended | null>;
  /** Whether the question is open that comes before a sign-out. */
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
    // As a page that Back brought again: no message of another tab has reached it meanwhile.
    onSessionOfAnother: () => {
      forgetPerson();
      location.reload();
    },
  });
  installSdk(sdk);
  followOthersLeaving(sdk);
  followLanguage(document.documentElement, deviceStorage, sdk);

  const connect = createConnectFlow({
    api: sdk.api,
    referral: referral.get,
    wanted: () => wantedPlace(tabs),
    navigate: (address) => location.assign(address),
  });
  // Whoever comes back from Discord by the browser's Back finds the page as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && connect.state.get().status === 'redirecting') connect.open();
  });
  const startup = createStartup({
    sdk,
    flow: connect,
    arrival,
    errorDescription: () => takeErrorDescription(document),
    expectsSession,
    // The code went along in the sign-in and the server has dealt with it.
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

/** Follows the session: how it ended here, and that the next start reads none then. */
function watchEnd({ session, broadcast }: Sdk): WritableStore<Ended | null> {
  const ended = createStore<Ended | null>(null);
  let elsewhere: { userId: string; end: Ended } | null = null;
  let lastUserId: string | null = null;
  const show = (userId: string) => ended.set(elsewhere?.userId === userId ? elsewhere.end : 'signed-out');
  broadcast.listen((message) => {
    const end = endOf(message);
    if (end === null) return;
    elsewhere = { userId: message.userId, end };
    // The session here may have ended before.
    if (ended.get() !== null && lastUserId === message.userId) show(message.userId);
  });
  session.state.listen((now, before) => {
    if (now.status === 'signed-in') {
      if (before.user?.id !== now.user.id) elsewhere = null;
      lastUserId = now.user.id;
      ended.set(null);
      return;
    }
    // Of a start that could not read it there may be one all the same.
    if (before.status !== 'signed-in') return;
    expectNoSession();
    show(before.user.id);
  });
  return ended;
}
