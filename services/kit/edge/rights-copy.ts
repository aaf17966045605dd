import { RIGHTS_KEYS_MAX, type RightsEntry, type RightsPage, rightsRpc } from '@cord/contracts/rpc/rights';
import {
  RIGHTS_ASK_TIMEOUT_MS,
  RIGHTS_HELD_MAX,
  RIGHTS_KEYS_EVERY_MS,
  RIGHTS_PAGE_TIMEOUT_MS,
  RIGHTS_PAGE_TRIES_MAX,
  RIGHTS_PAGES_MAX,
  RIGHTS_RETRY_MS,
  RIGHTS_WHOLE_EVERY_MS,
  RIGHTS_WHOLE_GAP_MS,
  RIGHTS_WHOLE_SHARE,
} from '../bounds.js';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';
import { EndedSessions } from './ended-sessions.js';
import { hearRights } from './rights-told.js';
import { revokedSessionOf, signingKeyKey } from './session-state.js';

/** What the keys of signing keys begin with. */
const SIGNING_KEY = signingKeyKey('');

/** What auth says of keys, revocations and roles, kept up here. */
export interface RightsCopy extends Consuming {
  /** Resolves when the whole has been read for the first time. */
  ready: Promise<void>;
  /** Resolves when reading it was tried for the first time: nobody may be there to answer yet. */
  tried: Promise<void>;
  isReady(): boolean;
  /** Whether the session is among those that came packed, as most ended ones do; of the others `onChange` tells. */
  isEnded(sessionId: string): boolean;
  /** ms since it was last certain that this copy and auth agree; Infinity before that, and while memory cannot hold all. Machine time. */
  staleMs(): number;
  /** Resolves when all that NATS had of auth's changes before this moment was asked for and answered. @throws NATS's error while it is away */
  settled(): Promise<void>;
  /** Asks for one key; resolves when it was answered, or could not be. */
  refresh(key: string): Promise<void>;
}

/**
 * Follows auth's rights. Messages only say what to ask for: a value counts when it comes as the answer to a request of
 * our own, at an address that nobody but auth has learnt. A gap in what a replica of auth has told, a replica not heard
 * of before, and a reconnection make us read the whole. All asking is one after the other, so that the last answer is
 * the newest.
 * What memory cannot hold makes the whole copy stale: a session that it does not know of may have ended. Signing keys are asked for
 * now and then without any message: no lost one may keep a leaked key in use.
 * @param onChange runs for each value read; null for what is not there (any more)
 * @param bounds.heldMax entries, and ended sessions beside them
 * @param bounds.keysEveryMs how often signing keys are asked for at least, ms
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
  let askingKeys = false;
  let wantsWhole = true;
  let wholeBeganAtMs = Number.NEGATIVE_INFINITY;
  let wholeTookMs = 0;
  let agreedAtMs = Number.NEGATIVE_INFINITY;
  let asking = false;
  let isHeard = false;
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
  const ask = (request: { keys: string[] } | { after: string | null; packed: true }) => {
    // Between accounts NATS does not say that nobody is there: until auth was heard this may be so, for auth's own first replica surely.
    const timeoutMs = 'keys' in request || !isHeard ? RIGHTS_ASK_TIMEOUT_MS : RIGHTS_PAGE_TIMEOUT_MS;
    return nats.request(rightsRpc, request, { timeoutMs });
  };

  const askKeys = async (): Promise<void> => {
    askingKeys = true;
    const keys = [...wanted].slice(0, RIGHTS_KEYS_MAX);
    const answered = waiting;
    waiting = [];
    // What is told again while we ask is asked for again.
    for (const key of keys) wanted.delete(key);
    const askedAtMs = performance.now();
    try {
      for (const entry of (await ask({ keys })).entries) apply(entry);
      agree(askedAtMs);
    } catch (err) {
      for (const key of keys) wanted.add(key);
      throw err;
    } finally {
      askingKeys = false;
      for (const done of answered) done();
      if (wanted.size === 0) for (const done of settling.splice(0)) done();
    }
  };
  /** A page that does not come is asked for again, so that a million entries need not begin anew for one; the first is not: nobody may be there. */
  const askPage = async (after: string | null) => {
    for (let tries = 1; ; tries++) {
      try {
        return await ask({ after, packed: true });
      } catch (err) {
        if (after === null || tries === RIGHTS_PAGE_TRIES_MAX || isStopped) throw err;
        await pause(RIGHTS_RETRY_MS);
        if (wanted.size > 0) await askKeys().catch(() => undefined);
      }
    }
  };
  const askWhole = async (): Promise<void> => {
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
        const page: RightsPage = await askPage(after);
        for (const entry of page.entries) apply(entry);
        if (page.ended !== undefined && !filled.ended.addPacked(page.ended, heldMax)) {
          isOver = true;
          nats.log.error('there are more ended sessions than memory may hold');
        }
        // A change holds within a second, however long the whole is.
        if (wanted.size > 0) await askKeys();
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
    // Of what is not there any more; and of ended sessions that were told one by one and have come packed by now.
    for (const key of held) {
      if (filled.keys.has(key)) continue;
      held.delete(key);
      onChange(key, null);
    }
    isReady = true;
    wholeTookMs = performance.now() - beganAtMs;
    resolveReady();
    // Whatever was told before we began is in it.
    agreedAtMs = beganAtMs;
  };

  const endHearing = hearRights(nats, ({ keys, follows }) => {
    isHeard = true;
    for (const key of keys) wanted.add(key);
    if (!follows) wantsWhole = true;
    if (follows && !asking) agree(performance.now());
    if (wantsWhole || wanted.size > 0) wake();
  });
  const offReconnect = nats.onReconnect(() => {
    wantsWhole = true;
    wholeBeganAtMs = Number.NEGATIVE_INFINITY;
    wake();
  });

  /** Until something is to be asked, at most this long, ms. */
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
        asking = true;
        if (wanted.size > 0) await askKeys();
        else if (wholeDueInMs() <= 0) await askWhole();
        asking = false;
        resolveTried();
        if (wanted.size === 0 && !isStopped) await pause(Math.max(0, wholeDueInMs()));
      } catch (err) {
        asking = false;
        resolveTried();
        if (isStopped) return;
        // A whole that failed is tried again as soon as we try again.
        if (wantsWhole) wholeBeganAtMs = Number.NEGATIVE_INFINITY;
        nats.log.warn(`rights cannot be asked for, trying again: ${err instanceof Error ? err.message : String(err)}`);
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
      if (wanted.size === 0 && !askingKeys) return;
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
      endHearing();
      await running;
      // Nobody waits any longer for what does not come.
      resolveReady();
      for (const done of [...waiting, ...settling]) done();
    },
  };
}
