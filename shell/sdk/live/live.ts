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

/** State of the live stream for the page (shell/sdk/README.md#live-updates). */
export interface Live {
  /** Whether changes are reported, by this tab's stream or the leader's. While false, queries use the intervals of the contracts. */
  open: Store<boolean>;
  /** Whether this tab is the one that saves; without locks every tab is. */
  leads(): boolean;
  /** Follows the signed-in user; returns a function that stops. */
  run(): () => void;
}

export interface LiveBounds extends LeadBounds, StreamBounds {
  /** Maximum time a former leader holds its stream until the next one's is open, ms. */
  handOverMs: number;
  /** Data read within this time before the first stream opened is not read again, ms. */
  freshMs: number;
  /** Random spread of the reads after a gap that many browsers share, ms. */
  spreadMs: number;
  /** Time for the stream to open after the network is back, before the page reads without it, ms. */
  graceMs: number;
  /** A stream without events for this long, while responses change the balance, is restarted, ms. */
  deafMs: number;
  /** Interval of the clock check, ms, and the step that indicates sleep: timers of a hidden tab run once a minute. */
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
  /** Null when the browser has no locks or no channel between tabs. */
  locks: Pick<LockManager, 'request'> | null;
  /** Store that the page already uses; a new one by default. */
  open?: WritableStore<boolean>;
  connect?: () => Source;
  /** Whether this tab is visible. */
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
  /** Whether events may have been missed, and whether that affected many browsers at once. */
  let gap: 'none' | 'own' | 'shared' = 'none';
  let asleep = false;
  /** The previous leader's stream is still open. */
  let covered = false;
  let lastEventMs = 0;
  let lookedMs = 0;
  let rereading: ReturnType<typeof setTimeout> | undefined;
  let handing: ReturnType<typeof setTimeout> | undefined;

  const stream: LiveStream = createStream({
    connect: deps.connect ?? (() => new EventSource(`/api${LIVE_PATH}`)),
    onEvent: receive,
    onChange: onStream,
    // The session may have ended; a 401 then ends it in all tabs.
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

  /** The previous leader's stream is closed by now, and this one is not open yet. */
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

  /** Refetches everything on screen. @param waitMs delay; a later call restarts it */
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

  /** Every save changes the balance, and the stream reports each change. */
  function onBalance(): void {
    if (!lead?.leads() || !stream.isOpen() || Date.now() - lastEventMs <= bounds.deafMs) return;
    stream.restart();
  }

  /** The browser may not notice that the connection ended during sleep. */
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

  /** A frozen page releases the lock that others wait for. */
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
