import { onlineManager } from '@tanstack/react-query';
import { type Api, createApi } from './api';
import { type Broadcast, createBroadcast } from './broadcast';
import { type Connection, createConnection } from './connection';
import { followLocale } from './i18n';
import type { LedgerHost } from './ledger';
import { followStream } from './live/freshness';
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

/** Dependencies that only the shell provides. */
export interface SdkHost {
  tabs: Tabs;
  toasts: Toasts;
  ledger: LedgerHost;
  /** Code that runs in this page, for error reports. */
  running: Pick<ReporterDeps, 'versions' | 'modules'>;
  fetch?: typeof fetch;
  /** Awaited before each GET, so that the requests of one screen run in separate tasks. */
  beforeRead?: () => Promise<void>;
  /** Called when the server responds that nobody is signed in. */
  onNoSession?: () => void;
  /** Called when the server no longer accepts the session of a signed-in user. */
  onSessionLost?: () => void;
  /** Called when another user has signed in in this browser since. */
  onSessionOfAnother?: () => void;
}

const TICK_MS = 1_000;

/** Creates the sdk of one page. A 401 signs out the user the call was sent for, if that user is still signed in. */
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
  // Queries pause while the server is unreachable and resume when it responds.
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
  const live = liveLater({ ...base, locks: browserLocks() });
  followStream(queries, live.open);
  return {
    ...base,
    live,
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
