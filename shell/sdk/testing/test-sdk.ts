import type { User } from '@cord/contracts/http/users';
import type { Action, ActionPlace } from '../actions';
import type { Broadcast, TabMessage } from '../broadcast';
import type { Connection } from '../connection';
import { followLocale } from '../i18n';
import { followStream } from '../live/freshness';
import type { Live } from '../live/live';
import type { Parts, PartsHost } from '../parts';
import { createQueryClient, forgetWithUser } from '../query';
import type { FaultPlace } from '../report';
import type { Sdk } from '../sdk';
import type { ServerClock } from '../server-clock';
import { createSession } from '../session';
import { createSharedCache } from '../shared-cache';
import { createStore, type WritableStore } from '../store';
import { type TabId, type TabParams, type Tabs, withParam } from '../tabs';
import { createTicker, type Ticker } from '../ticker';
import type { Toast } from '../toasts';
import { createWrites, type WriteBounds } from '../writes';
import { createFakeApi, type FakeApi } from './fake-api';
import { SAMPLE_NOW_MS, sampleUser } from './samples';

/** The usual number of tries, without waits. */
const WRITES_AT_ONCE: WriteBounds = { tries: 3, firstWaitMs: 0, mostWaitMs: 0, patienceMs: Number.POSITIVE_INFINITY };

/** A server clock that moves only on command. */
export interface FakeClock extends ServerClock {
  set(ms: number): void;
  advance(ms: number): void;
}

/** The sdk without a shell and a server. */
export interface TestSdk extends Sdk {
  api: FakeApi;
  clock: FakeClock;
  connection: Connection & { lostAtMs: WritableStore<number | null> };
  /** By default the stream is closed and this tab leads. */
  live: Live & { open: WritableStore<boolean>; leading: WritableStore<boolean> };
  tabs: Tabs & { current: WritableStore<TabId>; params: WritableStore<TabParams> };
  /** All toasts, in order. */
  shown: Toast[];
  /** All messages to the other tabs. */
  sent: TabMessage[];
  /** All reported faults. */
  reported: { error: unknown; place: FaultPlace }[];
  /** Delivers a message of another tab of the same browser. */
  receive(message: TabMessage): void;
}

export interface TestSdkOptions {
  /** The signed-in user; null for nobody. */
  user?: User | null;
  nowMs?: number;
  /** Parts by module, as `./parts` exports them. */
  parts?: Record<string, Parts>;
  /** Actions of modules by place. */
  actions?: Partial<Record<ActionPlace, Action>>;
  /** The clock runs in real time from `nowMs`: for animated stories. */
  live?: boolean;
}

export function createTestSdk(options: TestSdkOptions = {}): TestSdk {
  const { user = sampleUser(), nowMs = SAMPLE_NOW_MS, parts = {}, actions = {}, live = false } = options;
  const clock = live ? liveClock(nowMs) : fakeClock(nowMs);
  const sent: TabMessage[] = [];
  const ears = new Set<(message: TabMessage) => void>();
  const broadcast: Broadcast = {
    send: (message) => void sent.push(message),
    listen(listener) {
      ears.add(listener);
      return () => ears.delete(listener);
    },
  };
  const session = createSession({ broadcast, clock });
  followLocale(session.state);
  if (user === null) session.signOut();
  else session.signIn(user);
  sent.length = 0;
  const api = createFakeApi();
  const queries = createQueryClient(0);
  forgetWithUser(queries, session);
  const current = createStore<TabId>('dashboard');
  const params = createStore<TabParams>({});
  const shown: Toast[] = [];
  const reported: TestSdk['reported'] = [];
  const leading = createStore(true);
  const base = {
    api,
    session,
    clock,
    connection: {
      lostAtMs: createStore<number | null>(null),
      isRecovering: () => false,
      reached: () => undefined,
      missed: () => undefined,
    },
    ticker: live ? createTicker(1_000) : clock,
    queries,
    cache: createSharedCache({ queries, session, broadcast }),
    live: { open: createStore(false), leading, leads: leading.get, run: () => () => undefined },
    broadcast,
  };
  followStream(queries, base.live.open);
  return {
    ...base,
    writes: createWrites({ ...base, bounds: WRITES_AT_ONCE }),
    tabs: {
      current,
      go: current.set,
      params,
      setParam: (tab, name, value) => params.set(withParam(params.get(), tab, name, value)),
    },
    toasts: { show: (toast) => void shown.push({ durationMs: 4_000, ...toast }) },
    parts: partsFrom(parts, actions),
    ledger: { open: () => undefined, Entries: Nothing },
    report: (error, place = {}) => void reported.push({ error, place }),
    shown,
    sent,
    reported,
    receive(message) {
      for (const ear of ears) ear(message);
    },
  };
}

function fakeClock(startMs: number): FakeClock & Ticker {
  let nowMs = startMs;
  const listeners = new Set<() => void>();
  const set = (ms: number) => {
    nowMs = ms;
    for (const listener of [...listeners]) listener();
  };
  return {
    now: () => nowMs,
    observe: () => undefined,
    set,
    advance: (ms) => set(nowMs + ms),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function liveClock(startMs: number): FakeClock & Ticker {
  const clock = fakeClock(startMs);
  let fromMs = startMs;
  let sinceMs = Date.now();
  const set = (ms: number) => {
    fromMs = ms;
    sinceMs = Date.now();
    clock.set(ms);
  };
  const now = () => fromMs + Date.now() - sinceMs;
  return { ...clock, now, set, advance: (ms) => set(now() + ms) };
}

function partsFrom(
  parts: NonNullable<TestSdkOptions['parts']>,
  actions: NonNullable<TestSdkOptions['actions']>,
): PartsHost {
  const find = (name: string) => {
    const [module, part] = name.split('/') as [string, string];
    return parts[module]?.[part];
  };
  return {
    async load(name) {
      const found = find(name);
      if (found === undefined) throw new Error(`${name} is not there`);
      return 'load' in found ? found.load() : found;
    },
    releaseOf: (name) => (find(name) === undefined ? null : 'test'),
    async action(name) {
      const found = actions[name];
      if (found === undefined) throw new Error(`No module has an action for ${name}`);
      return found;
    },
    Skeleton: Nothing,
    Failed: Nothing,
  };
}

function Nothing() {
  return null;
}
