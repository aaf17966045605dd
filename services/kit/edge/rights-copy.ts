import { RIGHTS_KEYS_MAX, type RightsEntry, type RightsPage, rightsRpc } from '@cord/contracts/rpc/rights';
import {
  RIGHTS_HELD_MAX,
  RIGHTS_KEYS_EVERY_MS,
  RIGHTS_PAGE_TIMEOUT_MS,
  RIGHTS_PAGE_TRIES_MAX,
  RIGHTS_PAGES_MAX,
  RIGHTS_REQUEST_TIMEOUT_MS,
  RIGHTS_RETRY_MS,
  RIGHTS_WHOLE_EVERY_MS,
  RIGHTS_WHOLE_GAP_MS,
  RIGHTS_WHOLE_SHARE,
} from '../bounds.js';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';
import { EndedSessions } from './ended-sessions.js';
import { subscribeToRights } from './rights-changes.js';
import { revokedSessionOf, signingKeyKey } from './session-state.js';

/** Prefix of the keys of signing keys. */
const SIGNING_KEY = signingKeyKey('');

/** A local copy of auth's keys, revocations and roles, kept current. */
export interface RightsCopy extends Consuming {
  /** Resolves after the first full read. */
  ready: Promise<void>;
  /** Resolves after the first attempt to read: no replica may be up yet to respond. */
  tried: Promise<void>;
  isReady(): boolean;
  /** Whether the session is among the packed ones, as most ended sessions are; the others arrive by `onChange`. */
  isEnded(sessionId: string): boolean;
  /** ms of machine time since this copy certainly matched auth; Infinity before that, and while memory cannot hold everything. */
  staleMs(): number;
  /** Resolves when all changes that NATS had from auth before this moment are requested and answered. @throws NATS's error while it is away */
  settled(): Promise<void>;
  /** Requests one key; resolves after the response or its failure. */
  refresh(key: string): Promise<void>;
}

/**
 * Follows auth's rights. Messages only name the keys to request: a value counts when it arrives in response to our own request, at
 * an address that only auth has received. A gap in the messages of a replica of auth, a replica new here, and a reconnection
 * trigger a full read. Requests run one after the other, so the last response is the newest.
 * When memory cannot hold everything, the whole copy is stale: a session missing from it may have ended. Signing keys are also
 * requested periodically, so that no lost message keeps a leaked key in use.
 * @param onChange runs for each value read; null for a missing one
 * @param bounds.heldMax maximum entries, and maximum ended sessions
 * @param bounds.keysEveryMs maximum interval between requests for signing keys, ms
 */
export function copyRights(
  nats: Nats,
  onChange: (key: string, value: unknown) => void,
  { heldMax = RIGHTS_HELD_MAX, keysEveryMs = RIGHTS_KEYS_EVERY_MS } = {},
): RightsCopy {
  const held = new Set<string>();
  const wanted = new Set<string>();
  let ended = new EndedSessions();
  let filling: { keys: Set<string>; ended: EndedSessions } | undefined;
  let waiting: Array<() => void> = [];
  const settling: Array<() => void> = [];
  let isReadingKeys = false;
  let wantsWhole = true;
  let wholeBeganAtMs = Number.NEGATIVE_INFINITY;
  let wholeTookMs = 0;
  let agreedAtMs = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let isReached = false;
  /** More arrived than memory may hold, since the last full read or in it. */
  let isOver = false;
  let isReady = false;
  let isStopped = false;
  let wake: () => void = () => undefined;
  let resolveReady: () => void = () => undefined;
  let resolveTried: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });
  const tried = new Promise<void>((resolve) => {
    resolveTried = resolve;
  });

  const apply = ({ key, value }: RightsEntry): void => {
    if (value === null || value === undefined) {
      filling?.keys.delete(key);
      const sessionId = revokedSessionOf(key);
      if (sessionId !== null) for (const one of [ended, filling?.ended]) one?.delete(sessionId);
      if (held.delete(key)) onChange(key, null);
      return;
    }
    if (held.size >= heldMax && !held.has(key)) {
      isOver = true;
      nats.log.error('more rights than the memory limit allows');
      return;
    }
    filling?.keys.add(key);
    held.add(key);
    onChange(key, value);
  };
  const markAgreed = (asOfMs: number): void => {
    if (isReady && !wantsWhole && wanted.size === 0) agreedAtMs = asOfMs;
  };
  const requestRights = (request: { keys: string[] } | { after: string | null }) => {
    // Across accounts NATS does not report a missing subscriber. Before the first message of auth there may be none; for auth's own first
    // replica there is none.
    const timeoutMs = 'keys' in request || !isReached ? RIGHTS_REQUEST_TIMEOUT_MS : RIGHTS_PAGE_TIMEOUT_MS;
    return nats.request(rightsRpc, request, { timeoutMs });
  };

  const readKeys = async (): Promise<void> => {
    isReadingKeys = true;
    const keys = [...wanted].slice(0, RIGHTS_KEYS_MAX);
    const answered = waiting;
    waiting = [];
    // A key that changes again during the request is requested again.
    for (const key of keys) wanted.delete(key);
    const requestedAtMs = performance.now();
    try {
      for (const entry of (await requestRights({ keys })).entries) apply(entry);
      markAgreed(requestedAtMs);
    } catch (err) {
      for (const key of keys) wanted.add(key);
      throw err;
    } finally {
      isReadingKeys = false;
      for (const done of answered) done();
      if (wanted.size === 0) for (const done of settling.splice(0)) done();
    }
  };
  /** Retries a failed page, so that a million entries need not restart for one; not the first page, because no replica may be up. */
  const readPage = async (after: string | null) => {
    for (let tries = 1; ; tries++) {
      try {
        return await requestRights({ after });
      } catch (err) {
        if (after === null || tries === RIGHTS_PAGE_TRIES_MAX || isStopped) throw err;
        await pause(RIGHTS_RETRY_MS);
        if (wanted.size > 0) await readKeys().catch(() => undefined);
      }
    }
  };
  const readWhole = async (): Promise<void> => {
    const beganAtMs = performance.now();
    wholeBeganAtMs = beganAtMs;
    wantsWhole = false;
    const filled = { keys: new Set<string>(), ended: new EndedSessions() };
    filling = filled;
    const wasOver = isOver;
    isOver = false;
    try {
      let after: string | null = null;
      for (let pages = 0; ; pages++) {
        if (pages === RIGHTS_PAGES_MAX) throw new Error('too many pages of rights');
        const page: RightsPage = await readPage(after);
        for (const entry of page.entries) apply(entry);
        if (page.ended !== undefined && !filled.ended.addPacked(page.ended, heldMax)) {
          isOver = true;
          nats.log.error('more ended sessions than the memory limit allows');
        }
        // Changes take effect within a second, however long the full read takes.
        if (wanted.size > 0) await readKeys();
        after = page.next;
        if (after === null) break;
      }
    } catch (err) {
      wantsWhole = true;
      isOver ||= wasOver;
      throw err;
    } finally {
      filling = undefined;
    }
    ended = filled.ended;
    // For entries that no longer exist, and for ended sessions received singly that are now packed.
    for (const key of held) {
      if (filled.keys.has(key)) continue;
      held.delete(key);
      onChange(key, null);
    }
    isReady = true;
    wholeTookMs = performance.now() - beganAtMs;
    resolveReady();
    // It includes every change before our start.
    agreedAtMs = beganAtMs;
  };

  const unsubscribe = subscribeToRights(nats, ({ keys, follows }) => {
    isReached = true;
    for (const key of keys) wanted.add(key);
    if (!follows) wantsWhole = true;
    if (follows && !isReading) markAgreed(performance.now());
    if (wantsWhole || wanted.size > 0) wake();
  });
  const offReconnect = nats.onReconnect(() => {
    wantsWhole = true;
    wholeBeganAtMs = Number.NEGATIVE_INFINITY;
    wake();
  });

  /** Waits until something is to be requested, at most this long, ms. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const wholeDueInMs = (): number =>
    wholeBeganAtMs +
    (wantsWhole ? RIGHTS_WHOLE_GAP_MS : Math.max(RIGHTS_WHOLE_EVERY_MS, RIGHTS_WHOLE_SHARE * wholeTookMs)) -
    performance.now();
  const follow = async (): Promise<void> => {
    while (!isStopped) {
      try {
        isReading = true;
        if (wanted.size > 0) await readKeys();
        else if (wholeDueInMs() <= 0) await readWhole();
        isReading = false;
        resolveTried();
        if (wanted.size === 0 && !isStopped) await pause(Math.max(0, wholeDueInMs()));
      } catch (err) {
        isReading = false;
        resolveTried();
        if (isStopped) return;
        // A failed full read is retried with the next attempt.
        if (wantsWhole) wholeBeganAtMs = Number.NEGATIVE_INFINITY;
        nats.log.warn(`the request for rights failed, retrying: ${err instanceof Error ? err.message : String(err)}`);
        await pause(RIGHTS_RETRY_MS);
      }
    }
  };
  const keysTimer = setInterval(() => {
    for (const key of held) if (key.startsWith(SIGNING_KEY)) wanted.add(key);
    if (wanted.size > 0) wake();
  }, keysEveryMs).unref();
  const running = follow();

  return {
    ready,
    tried,
    isReady: () => isReady,
    isEnded: (sessionId) => ended.has(sessionId),
    staleMs: () => (isOver ? Number.POSITIVE_INFINITY : performance.now() - agreedAtMs),
    async settled() {
      // By then everything that the server sent before its response has arrived.
      await nats.nc.flush();
      if (wanted.size === 0 && !isReadingKeys) return;
      await new Promise<void>((resolve) => settling.push(resolve));
    },
    refresh: (key) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        wanted.add(key);
        wake();
      }),
    async stop() {
      isStopped = true;
      clearInterval(keysTimer);
      offReconnect();
      wake();
      unsubscribe();
      await running;
      // Stops waiting for anything outstanding.
      resolveReady();
      for (const done of [...waiting, ...settling]) done();
    },
  };
}
