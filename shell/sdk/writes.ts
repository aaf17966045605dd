import type { Api } from './api';
import { ApiError } from './problem';
import type { Session } from './session';
import type { SharedCache } from './shared-cache';

/** How patiently an answer is sought. */
export interface WriteBounds {
  /** Tries in all, the first among them; at least 1. */
  tries: number;
  /** Wait before the second try, ms; it doubles with each further one. */
  firstWaitMs: number;
  /** The longest wait, ms, whatever the server requests. */
  mostWaitMs: number;
  /** No further try begins when so much time has gone by since the first, ms. */
  patienceMs: number;
}

/** The shell's own: an answer lost once is there within a second, and nobody waits for minutes. */
export const WRITE_BOUNDS: WriteBounds = { tries: 5, firstWaitMs: 250, mostWaitMs: 3_000, patienceMs: 20_000 };

/** One thing the user meant to have written. */
export interface Write<Answer> {
  /** What it is: `['tasks', 'complete', taskId]`. With `input` it identifies the write. */
  name: readonly unknown[];
  /** What is sent; another input is another write. */
  input?: unknown;
  /** Sends it once. Each POST through `api` carries the key, which is given for what else needs it. */
  send(api: Api, idempotencyKey: string): Promise<Answer>;
  /** Keys of the queries that it makes old, read again here and in the other tabs of this browser, however it ended. */
  refresh?: readonly (readonly unknown[])[] | undefined;
}

export interface Writes {
  /**
   * Sends a write until it is answered, with one idempotency key for all tries. The key is kept until an answer is there:
   * the same write, meant again after an unknown outcome, goes on with it. Sent twice at once, it is sent once.
   * @throws ApiError the answer that refuses it, or the last failure where there was none
   */
  send<Answer>(write: Write<Answer>): Promise<Answer>;
}

interface WritesDeps {
  api: Api;
  session: Pick<Session, 'state'>;
  cache: Pick<SharedCache, 'invalidate'>;
  bounds?: WriteBounds;
  random?: () => number;
  localNow?: () => number;
}

/** The one way to send a write (services/README.md#sign-in-and-rights). */
export function createWrites(deps: WritesDeps): Writes {
  const { api, session, cache, bounds = WRITE_BOUNDS, random = Math.random, localNow = Date.now } = deps;
  const keys = new Map<string, string>();
  const underWay = new Map<string, Promise<unknown>>();

  const userIdNow = () => session.state.get().user?.id ?? null;

  // What one user meant is nothing to the next.
  session.state.listen(() => {
    if (userIdNow() !== null) return;
    keys.clear();
    underWay.clear();
  });

  /** The api of one write: its POSTs carry the key, without which the server would do a repetition once more. */
  const withKey = (idempotencyKey: string): Api => ({
    ...api,
    call: (endpoint, input) => api.call(endpoint, endpoint.method === 'POST' ? { ...input, idempotencyKey } : input),
  });

  async function untilAnswered<Answer>(write: Write<Answer>, key: string): Promise<Answer> {
    const startedMs = localNow();
    const userId = userIdNow();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write.send(withKey(key), key);
      } catch (error) {
        const tired = attempt >= bounds.tries || localNow() - startedMs >= bounds.patienceMs;
        if (tired || !isOutcomeUnknown(error)) throw error;
        await wait(waitBefore(attempt + 1, error.retryAfterMs, bounds, random()));
        if (userIdNow() !== userId) throw error;
      }
    }
  }

  return {
    send<Answer>(write: Write<Answer>): Promise<Answer> {
      const userId = userIdNow();
      const id = JSON.stringify([userId, write.name, write.input ?? null]);
      const running = underWay.get(id);
      if (running !== undefined) return running as Promise<Answer>;
      const key = keys.get(id) ?? crypto.randomUUID();
      keys.set(id, key);
      const run = untilAnswered(write, key)
        .then(
          (answer) => {
            keys.delete(id);
            return answer;
          },
          (error: unknown) => {
            if (isAnswered(error)) keys.delete(id);
            throw error;
          },
        )
        .finally(() => {
          if (underWay.get(id) === run) underWay.delete(id);
          cache.invalidate(write.refresh ?? []);
        });
      underWay.set(id, run);
      return run;
    },
  };
}

/** Statuses of a gateway that reached nobody, or nobody in time: whether the service has done it is not known. */
const NO_ANSWER = new Set([502, 504]);

/**
 * Whether nobody knows yet what became of a write: no answer at all, or the first try still runs on the server
 * (`still-running`). A repetition with the same key shows it.
 */
export function isOutcomeUnknown(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  return NO_ANSWER.has(error.status) || (error.status === 409 && error.type === 'still-running');
}

/** Whether the server has decided; what failed on its side, or was put off, may yet be done under the same key. */
function isAnswered(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return false;
  return !(error instanceof ApiError && error.retryable);
}

/**
 * Wait before a try, ms: as long as the server requests, else doubling, with up to half of it left to chance so that not
 * everybody comes back at once. @param attempt 2 for the first repetition
 */
export function waitBefore(attempt: number, retryAfterMs: number | null, bounds: WriteBounds, random: number): number {
  const ownMs = bounds.firstWaitMs * 2 ** (attempt - 2) * (1 - random / 2);
  return Math.min(Math.max(retryAfterMs ?? 0, ownMs), bounds.mostWaitMs);
}

function wait(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
