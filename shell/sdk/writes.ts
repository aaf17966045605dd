import type { Api } from './api';
import { ApiError } from './problem';
import type { Session } from './session';
import type { SharedCache } from './shared-cache';

/** Bounds of the retries of a write. */
export interface WriteBounds {
  /** Number of tries, including the first; at least 1. */
  tries: number;
  /** Wait before the second try, ms; it doubles with each further try. */
  firstWaitMs: number;
  /** Maximum wait, ms, whatever the server requests. */
  mostWaitMs: number;
  /** No further try starts this long after the first, ms. */
  patienceMs: number;
}

/** The shell's bounds: a lost response is recovered within a second, and nobody waits for minutes. */
export const WRITE_BOUNDS: WriteBounds = { tries: 5, firstWaitMs: 250, mostWaitMs: 3_000, patienceMs: 20_000 };

/** One write that the user intended. */
export interface Write<Answer> {
  /** Name of the write: `['tasks', 'complete', taskId]`. With `input` it identifies the write. */
  name: readonly unknown[];
  /** Body of the write; another input is another write. */
  input?: unknown;
  /** Sends it once. Each POST through `api` carries the key, which is passed for other uses. */
  send(api: Api, idempotencyKey: string): Promise<Answer>;
  /** Keys of the queries to invalidate, here and in the other tabs of this browser, whatever the outcome. */
  refresh?: readonly (readonly unknown[])[] | undefined;
}

export interface Writes {
  /**
   * Sends a write until it has a response, with one idempotency key for all tries. The key is kept until then: the same
   * write, repeated after an unknown outcome, uses it again. Concurrent calls of the same write share one request.
   * @throws ApiError the refusal, or the last failure when there was no response
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

/** Creates the only way to send a write (services/README.md#sign-in-and-rights). */
export function createWrites(deps: WritesDeps): Writes {
  const { api, session, cache, bounds = WRITE_BOUNDS, random = Math.random, localNow = Date.now } = deps;
  const keys = new Map<string, string>();
  const underWay = new Map<string, Promise<unknown>>();

  const userIdNow = () => session.state.get().user?.id ?? null;

  // Writes and keys of one user are not shared with the next.
  session.state.listen(() => {
    if (userIdNow() !== null) return;
    keys.clear();
    underWay.clear();
  });

  /** Returns the api of one write: its POSTs carry the key, without which the server would repeat the write. */
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

/** Statuses of a gateway that reached no service, or none in time: the outcome is unknown. */
const NO_ANSWER = new Set([502, 504]);

/**
 * Whether the outcome of a write is unknown: no response, or the first try still runs on the server
 * (`still-running`). A retry with the same key resolves it.
 */
export function isOutcomeUnknown(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  return NO_ANSWER.has(error.status) || (error.status === 409 && error.type === 'still-running');
}

/** Whether the server has decided. A server error or a deferred write may still succeed under the same key. */
function isAnswered(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return false;
  return !(error instanceof ApiError && error.retryable);
}

/**
 * Wait before a try, ms: the server's request, or a doubling wait less up to half of it at random, so that clients do
 * not return at once. @param attempt 2 for the first retry
 */
export function waitBefore(attempt: number, retryAfterMs: number | null, bounds: WriteBounds, random: number): number {
  const ownMs = bounds.firstWaitMs * 2 ** (attempt - 2) * (1 - random / 2);
  return Math.min(Math.max(retryAfterMs ?? 0, ownMs), bounds.mostWaitMs);
}

function wait(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
