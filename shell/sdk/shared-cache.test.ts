import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Broadcast, TabMessage } from './broadcast';
import { createQueryClient } from './query';
import { createSharedCache } from './shared-cache';

const USER = { id: 'u' } as never;
const OTHERS_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Tabs of one browser; each shows a query, and counts how often it asks. */
function tabs(count: number) {
  const listeners: ((message: TabMessage) => void)[] = [];
  let answer = 0;
  return Array.from({ length: count }, (_, index) => {
    const broadcast: Broadcast = {
      tell: (message) =>
        listeners.filter((_, other) => other !== index).forEach((listen) => void listen(structuredClone(message))),
      listen: (listener) => {
        listeners[index] = listener;
        return () => undefined;
      },
    };
    const queries = createQueryClient();
    const session = {
      state: { get: () => ({ status: 'signed-in' as const, user: USER }), listen: () => () => undefined },
    };
    const shown = { seen: true };
    const cache = createSharedCache({
      ...{ queries, session, broadcast, isSeen: () => shown.seen },
      ...{ othersMs: OTHERS_MS, random: () => index / count },
    });
    const asks = vi.fn(async () => {
      answer += 1;
      return answer;
    });
    const show = (queryKey = ['earnings', 'u', '30d']) => {
      const observer = new QueryObserver(queries, { queryKey, queryFn: asks, staleTime: Number.POSITIVE_INFINITY });
      queries.setQueryData(queryKey, 0);
      observer.subscribe(() => undefined);
      return () => queries.getQueryData(queryKey);
    };
    return { cache, asks, show, shown, queries };
  });
}

const asked = (all: ReturnType<typeof tabs>) => all.map(({ asks }) => asks.mock.calls.length);

it('however many tabs show what has become old, one asks and all know', async () => {
  const all = tabs(4);
  const read = all.map(({ show }) => show());
  all[0]?.cache.outdate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHERS_MS);
  expect(asked(all)).toEqual([1, 0, 0, 0]);
  expect(read.map((each) => each())).toEqual([1, 1, 1, 1]);
});

it('what the tab that tells of it does not show, the first of the others asks for', async () => {
  const all = tabs(3);
  const read = all.slice(1).map(({ show }) => show());
  all[0]?.cache.outdate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHERS_MS);
  expect(asked(all)).toEqual([0, 1, 0]);
  expect(read.map((each) => each())).toEqual([1, 1]);
});

it('a tab that is not seen asks for nothing, and knows what another has read', async () => {
  const all = tabs(2);
  const read = all.map(({ show }) => show());
  if (all[1]) all[1].shown.seen = false;
  all[0]?.cache.outdate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHERS_MS);
  expect(asked(all)).toEqual([1, 0]);
  expect(read[1]?.()).toBe(1);
});

it('what fails in the tab that asks, another asks for', async () => {
  const all = tabs(2);
  const read = all.map(({ show }) => show());
  all[0]?.asks.mockRejectedValue(new Error('down'));
  all[0]?.cache.outdate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHERS_MS);
  expect(asked(all)[1]).toBe(1);
  expect(read.map((each) => each())).toEqual([1, 1]);
});
