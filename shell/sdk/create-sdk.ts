import { onlineManager } from '@tanstack/react-query';
import { type Api, createApi } from './api';
import { type Broadcast, createBroadcast } from './broadcast';
import { type Connection, createConnection } from './connection';
import { followLocale } from './i18n';
import type { LedgerHost } from './ledger';
import { browserLocks, liveLater } from './live/later';
import { createQueryClient, forgetWithUser } from './query';
import { createReporter, type ReporterDeps } from './report';
import type { Sdk } from './sdk';
import { createServerClock } from './server-clock';
import { createSession } from './session';
import { createSharedCache } from './shared-cache';
import { signedInCode } from './signed-in-code';
import type { Tabs } from './tabs';
import { createTicker } from './ticker';
import type { Toasts } from './toasts';
import { createWrites } from './writes';

/** What only the shell can give. */
export interface SdkHost {
  tabs: Tabs;
  toasts: Toasts;
  ledger: LedgerHost;
  /** What runs in this page, for reports of its errors. */
  running: Pick<ReporterDeps, 'versions' | 'modules'>;
  fetch?: typeof fetch;
  /** Awaited before each GET: a screen requests several things as it appears. */
  beforeRead?: () => Promise<void>;
  /** Called when the server has answered that nobody is signed in here. */
  onNoSession?: () => void;
  /** Called when the server no longer knows the sign-in of somebody who was signed in. */
  onSessionLost?: () => void;
  /** Called when the server knows another user by now, who signed in while this page lay still. */
  onSessionOfAnother?: () => void;
}

const TICK_MS = 1_000;

/** Builds the sdk of one page. A call that answers 401 signs out the user it was sent for, if it is still the one who is signed in. */
export function createSdk(host: SdkHost): Sdk {
  const clock = createServerClock();
  const broadcast: Broadcast = createBroadcast();
  const session = createSession({ broadcast, clock });
  const userId = () => session.state.get().user?.id ?? null;
  const queries = createQueryClient();
  forgetWithUser(queries, session);
  const connection: Connection = createConnection({
    now: clock.now,
    probe: () => api.health(),
  });
  // Queries rest while nothing answers, and request anew when something does.
  onlineManager.setEventListener((setOnline) => {
    const follow = () => setOnline(connection.lostAtMs.get() === null);
    follow();
    return connection.lostAtMs.listen(follow);
  });
  const api: Api = createApi({
    clock,
    onReached: connection.reached,
    onMissed: connection.missed,
    ...(host.fetch ? { fetch: host.fetch } : {}),
    ...(host.beforeRead ? { beforeRead: host.beforeRead } : {}),
    userId,
    onUnauthorised: (sentFor) => {
      if (userId() !== sentFor) return;
      session.signOut();
      host.onNoSession?.();
      if (sentFor !== null) host.onSessionLost?.();
    },
    onNotYours: (sentFor) => {
      if (userId() === sentFor) host.onSessionOfAnother?.();
    },
  });
  followLocale(session.state);
  const cache = createSharedCache({ queries, session, broadcast });
  const base = { api, session, clock, connection, ticker: createTicker(TICK_MS), queries, cache, broadcast };
  return {
    ...base,
    live: liveLater({ ...base, locks: browserLocks() }),
    writes: createWrites(base),
    tabs: host.tabs,
    toasts: host.toasts,
    get parts() {
      return signedInCode().parts;
    },
    ledger: host.ledger,
    report: createReporter({
      ...host.running,
      now: clock.now,
      personal: () => {
        const { user } = session.state.get();
        return [user?.username, user?.referralCode, user?.referred_by];
      },
    }),
  };
}
