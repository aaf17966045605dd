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

/** What the keys of signing keys begin with. */
const SIGNING_KEY = signingKeyKey('');

/** A copy of auth's keys, revocations and roles, kept current. */
export interface RightsCopy extends Consuming {
  /** Resolves when the whole has been read for the first time. */
  ready: Promise<void>;
  /** Resolves when reading it was tried for the first time: no replica may be there to answer yet. */
  tried: Promise<void>;
  isReady(): boolean;
  /** Whether the session is among those that came packed, as most ended ones do; the others come by `onChange`. */
  isEnded(sessionId: string): boolean;
  /** ms since it was last certain that this copy and auth agree; Infinity before that, and while memory cannot hold all. Machine time. */
  staleMs(): number;
  /** Resolves when all that NATS had of auth's changes before this moment was requested and answered. @throws NATS's error while it is away */
  settled(): Promise<void>;
  /** Requests one key; resolves when it was answered, or could not be. */
  refresh(key: string): Promise<void>;
}

/**
 * Follows auth's rights. Messages only name the keys to request: a value counts when it comes as the answer to a request of
 * our own, at an address that only auth has received. A gap in the messages of a replica of auth, a replica that is new here,
 * and a reconnection make us read the whole. Requests go one after the other, so that the last answer is
 * the newest.
 * What memory cannot hold makes the whole copy stale: a session that is missing from it may have ended. Signing keys are requested
 * now and then without any message: no lost one may keep a leaked key in use.
 * @param onChange runs for each value read; null for what is not there (any more)
 * @param bounds.heldMax entries, and ended sessions beside them
 * @param bounds.keysEveryMs how often signing keys are requested at least, ms
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
  /** There was more than memory may hold: since the last whole, and in it. */
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
      nats.log.error('there are more rights than memory may hold');
      return;
    }
    filling?.keys.add(key);
    held.add(key);
    onChange(key, value);
  };
  const agree = (asOfMs: number): void => {
    if (isReady && !wantsWhole && wanted.size === 0) agreedAtMs = asOfMs;
  };
  const requestRights = (request: { keys: string[] } | { after: string | null }) => {
    // Between accounts NATS does not report that no subscriber is there: until the first message of auth this may be so, for auth's own first replica surely.
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
      agree(requestedAtMs);
    } catch (err) {
      for (const key of keys) wanted.add(key);
      throw err;
    } finally {
      isReadingKeys = false;
      for (const done of answered) done();
      if (wanted.size === 0) for (const done of settling.splice(0)) done();
    }
  };
  /** A page that does not come is requested again, so that a million entries need not begin anew for one; the first is not: no replica may be there. */
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
        if (pages === RIGHTS_PAGES_MAX) throw new Error('the whole has no end');
        const page: RightsPage = await readPage(after);
        for (const entry of page.entries) apply(entry);
        if (page.ended !== undefined && !filled.ended.addPacked(page.ended, heldMax)) {
          isOver = true;
          nats.log.error('there are more ended sessions than memory may hold');
        }
        // A change holds within a second, however long the whole is.
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
    // Of what is not there any more; and of ended sessions that came one by one and have come packed by now.
    for (const key of held) {
      if (filled.keys.has(key)) continue;
      held.delete(key);
      onChange(key, null);
    }
    isReady = true;
    wholeTookMs = performance.now() - beganAtMs;
    resolveReady();
    // Whatever changed before we began is in it.
    agreedAtMs = beganAtMs;
  };

  const unsubscribe = subscribeToRights(nats, ({ keys, follows }) => {
    isReached = true;
    for (const key of keys) wanted.add(key);
    if (!follows) wantsWhole = true;
    if (follows && !isReading) agree(performance.now());
    if (wantsWhole || wanted.size > 0) wake();
  });
  const offReconnect = nats.onReconnect(() => {
    wantsWhole = true;
    wholeBeganAtMs = Number.NEGATIVE_INFINITY;
    wake();
  });

  /** Until something is to be requested, at most this long, ms. */
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
        // A whole that failed is tried again as soon as we try again.
        if (wantsWhole) wholeBeganAtMs = Number.NEGATIVE_INFINITY;
        nats.log.warn(`rights cannot be requested, trying again: ${err instanceof Error ? err.message : String(err)}`);
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
      // What the server had sent before its answer to this has come by then.
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
      // What does not come is not waited for any longer.
      resolveReady();
      for (const done of [...waiting, ...settling]) done();
    },
  };
}
