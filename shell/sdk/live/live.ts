import * as authEndpoints from '@cord/contracts/addresses/auth';
import { LIVE_PATH, type LiveKind } from '@cord/contracts/live/kinds';
import type { Api } from '../api';
import type { Broadcast } from '../broadcast';
import type { Connection } from '../connection';
import type { ServerClock } from '../server-clock';
import type { Session } from '../session';
import type { SharedCache } from '../shared-cache';
import { createStore, type Store, type WritableStore } from '../store';
import { applyEvent, createOrder } from './apply';
import { createLead, LEAD_BOUNDS, type Lead, type LeadBounds, type LeadState } from './lead';
import { createStream, type LiveStream, type Source, STREAM_BOUNDS, type StreamBounds } from './stream';

/** What the page knows of the live stream (shell/sdk/README.md#live-updates). */
export interface Live {
  /** Whether changes are reported: by this tab's stream, or by the tab that leads. While not, queries keep the intervals of the contracts. */
  open: Store<boolean>;
  /** Whether this tab is the one that saves; without locks each tab is by itself. */
  leads(): boolean;
  /** Follows whoever is signed in; returns the way to let go. */
  run(): () => void;
}

export interface LiveBounds extends LeadBounds, StreamBounds {
  /** A tab that lost the lead holds its stream so long at most, until the next one's is open, ms. */
  handOverMs: number;
  /** What was read so shortly before the first stream was open is not requested again, ms. */
  freshMs: number;
  /** After a gap that many have at once, each reads at random within so long, ms. */
  spreadMs: number;
  /** After the network is back, the stream has so long to be open before the page reads without it, ms. */
  graceMs: number;
  /** While the balance moves by what was answered, a stream that shows nothing for so long is gone, ms. */
  deafMs: number;
  /** How often the page looks at the clock, ms, and the step that shows that the device has slept: timers of a tab that nobody sees run once a minute. */
  lookMs: number;
  sleptMs: number;
}

export const LIVE_BOUNDS: LiveBounds = {
  ...LEAD_BOUNDS,
  ...STREAM_BOUNDS,
  handOverMs: 2_000,
  freshMs: 10_000,
  spreadMs: 5_000,
  graceMs: 3_000,
  deafMs: 90_000,
  lookMs: 60_000,
  sleptMs: 180_000,
};

export interface LiveDeps {
  api: Pick<Api, 'call'>;
  session: Session;
  clock: Pick<ServerClock, 'now'>;
  broadcast: Broadcast;
  connection: Pick<Connection, 'lostAtMs'>;
  cache: SharedCache;
  /** Null where the browser has none, or no channel between tabs. */
  locks: Pick<LockManager, 'request'> | null;
  /** What the page has been shown already; its own when left out. */
  open?: WritableStore<boolean>;
  connect?: () => Source;
  /** Whether somebody can look at this tab. */
  isSeen?: () => boolean;
  bounds?: LiveBounds;
  random?: () => number;
}

export function createLive(deps: LiveDeps): Live {
  const { session, broadcast, connection, cache, locks, bounds = LIVE_BOUNDS, random = Math.random } = deps;
  const { isSeen = () => document.visibilityState === 'visible' } = deps;
  const { open = createStore(false) } = deps;
  const order = createOrder();

  let user: string | null = null;
  let lead: Lead | null = null;
  let startedMs = 0;
  /** Whether something may have been reported while nobody here listened, and whether that befell many browsers at once. */
  let gap: 'none' | 'own' | 'shared' = 'none';
  let asleep = false;
  /** The tab that led before still listens. */
  let covered = false;
  let lastEventMs = 0;
  let lookedMs = 0;
  let rereading: ReturnType<typeof setTimeout> | undefined;
  let handing: ReturnType<typeof setTimeout> | undefined;

  const stream: LiveStream = createStream({
    connect: deps.connect ?? (() => new EventSource(`/api${LIVE_PATH}`)),
    onEvent: receive,
    onChange: onStream,
    // Signed out by now, perhaps: an answer that shows it ends the session in all tabs.
    onRefused: () => void deps.api.call(authEndpoints.me).catch(() => undefined),
    bounds,
    random,
  });

  function receive(kind: LiveKind, data: unknown): void {
    lastEventMs = Date.now();
    const fields = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
    if (user === null || !order.isNew(kind, fields)) return;
    applyEvent(deps, kind, fields);
    cache.onEvent(kind);
  }

  function onStream(isOpen: boolean): void {
    order.forget();
    lastEventMs = Date.now();
    if (!lead?.leads()) return;
    if (isOpen && gap !== 'none') rereadAfter(gap === 'own' ? 0 : random() * bounds.spreadMs);
    gap = isOpen ? 'none' : 'shared';
    covered = false;
    open.set(isOpen);
    lead.announce();
  }

  function onLead(handedOver: boolean): void {
    clearTimeout(handing);
    if (stream.isOpen()) {
      gap = 'none';
      onStream(true);
      return;
    }
    covered = handedOver;
    if (handedOver) handing = setTimeout(handOverFailed, bounds.handOverMs);
    else {
      open.set(false);
      if (Date.now() - startedMs > bounds.freshMs) gap = 'own';
    }
    stream.start();
  }

  /** The stream of the one before is gone by now, and this one is not open yet. */
  function handOverFailed(): void {
    if (!covered) return;
    covered = false;
    gap = 'own';
    open.set(false);
    lead?.announce();
  }

  function onLose(): void {
    clearTimeout(handing);
    handing = setTimeout(stream.stop, bounds.handOverMs);
  }

  function onMessage(message: LeadState): void {
    open.set(message.open);
    if (!message.holds) return;
    clearTimeout(handing);
    stream.stop();
  }

  /** Has everything on screen read once more. @param waitMs a later call puts it off */
  function rereadAfter(waitMs: number): void {
    clearTimeout(rereading);
    rereading = setTimeout(() => {
      if (user !== null) cache.onEvent('all');
    }, waitMs);
  }

  function onConnection(): void {
    if (user === null || connection.lostAtMs.get() !== null) return;
    if (lead === null) rereadAfter(random() * bounds.spreadMs);
    if (!lead?.leads()) return;
    rereadAfter(bounds.graceMs + random() * bounds.spreadMs);
    stream.restart();
  }

  /** Every save moves the balance, and the stream reports each. */
  function onBalance(): void {
    if (!lead?.leads() || !stream.isOpen() || Date.now() - lastEventMs <= bounds.deafMs) return;
    stream.restart();
  }

  /** The browser may not notice that the connection ended meanwhile. */
  function onLook(): void {
    const sinceMs = Date.now() - lookedMs;
    lookedMs = Date.now();
    if (sinceMs > bounds.sleptMs && lead?.leads()) stream.restart();
  }

  function start(): void {
    user = session.state.get().user?.id ?? null;
    if (user === null || locks === null || lead !== null) return;
    startedMs = Date.now();
    lead = createLead({
      ...{ userId: user, locks, broadcast, isSeen, bounds },
      ...{ onLead, onLose, onMessage, stream: () => ({ open: stream.isOpen() || covered, holds: stream.isOpen() }) },
    });
  }

  function stop(): void {
    user = null;
    lead?.leave();
    lead = null;
    clearTimeout(rereading);
    clearTimeout(handing);
    stream.stop();
    open.set(false);
    gap = 'none';
  }

  /** A page that sleeps holds nothing that others wait for. */
  function sleep(): void {
    asleep = true;
    stop();
  }

  function wake(): void {
    if (!asleep) return;
    asleep = false;
    start();
    gap = 'own';
    rereadAfter(bounds.graceMs);
  }

  function onSession(): void {
    if (asleep || (session.state.get().user?.id ?? null) === user) return;
    stop();
    start();
  }

  return {
    open,
    leads: () => locks === null || (lead?.leads() ?? false),
    run() {
      const onVisibility = () => lead?.seenChanged();
      const stops = [
        session.state.listen(onSession),
        connection.lostAtMs.listen(onConnection),
        session.balance.listen(onBalance),
      ];
      const events = [
        [document, 'visibilitychange', onVisibility],
        [document, 'freeze', sleep],
        [document, 'resume', wake],
        [window, 'pagehide', sleep],
        [window, 'pageshow', wake],
      ] as const;
      for (const [target, name, listener] of events) target.addEventListener(name, listener);
      lookedMs = Date.now();
      const looks = setInterval(onLook, bounds.lookMs);
      start();
      return () => {
        clearInterval(looks);
        stop();
        for (const each of stops) each();
        for (const [target, name, listener] of events) target.removeEventListener(name, listener);
      };
    },
  };
}
