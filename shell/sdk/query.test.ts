import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './problem';
import { createQueryClient } from './query';
import { offline, problem } from './testing';

beforeEach(() => void vi.useFakeTimers());

/** Reads with a failing call. @returns the times of its tries, ms */
async function triesWith(error: Error): Promise<number[]> {
  const startedMs = Date.now();
  const tries: number[] = [];
  const queryFn = () => {
    tries.push(Date.now() - startedMs);
    return Promise.reject(error);
  };
  const reading = createQueryClient()
    .fetchQuery({ queryKey: ['rank'], queryFn })
    .catch(() => undefined);
  await vi.advanceTimersByTimeAsync(600_000);
  await reading;
  return tries;
}

test.each([
  ['that may succeed later is retried twice, with growing waits', offline(), [0, 500, 1_500]],
  ['that the server defers waits as long as requested', deferred(7_000), [0, 7_000, 14_000]],
  ['that the server has refused is not retried', problem(404, 'No such user'), [0]],
  ['that failed by a fault of the page is not retried', new TypeError('x is undefined'), [0]],
])('a read %s', async (_what, error, tries) => {
  expect(await triesWith(error)).toEqual(tries);
});

function deferred(retryAfterMs: number): ApiError {
  return new ApiError({ kind: 'http', status: 503, message: 'Busy', retryAfterMs });
}
