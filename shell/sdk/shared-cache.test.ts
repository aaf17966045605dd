import type { LiveKind } from '@cord/contracts/live/kinds';
import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Broadcast, TabMessage } from './broadcast';
import { createQueryClient } from './query';
import { createSharedCache } from './shared-cache';

const USER = { id: 'u' } as never;
const OTHER_TABS_MS = 1_000;

type Live = Readonly<Partial<Record<LiveKind, number>>>;

beforeEach(() => void vi.useFakeTimers());

/** Creates tabs of one browser; each shows a query and counts its reads. */
function tabs(count: number, userOf: (index: number) => typeof USER = () => USER) {
  const listeners: ((message: TabMessage) => void)[] = [];
  let answer = 0;
  return Array.from({ length: count }, (_, index) => {
    const broadcast: Broadcast = {
      send: (message) =>
        listeners.filter((_, other) => other !== index).forEach((listen) => void listen(structuredClone(message))),
      listen: (listener) => {
        listeners[index] = listener;
        return () => undefined;
      },
    };
    const queries = createQueryClient();
    const session = {
      state: { get: () => ({ status: 'signed-in' as const, user: userOf(index) }), listen: () => () => undefined },
    };
    const shown = { seen: true };
    const cache = createSharedCache({
      ...{ queries, session, broadcast, isSeen: () => shown.seen },
      ...{ othersMs: OTHER_TABS_MS, random: () => index / count },
    });
    const readOnce = vi.fn(async () => {
      answer += 1;
      return answer;
    });
    /** @param known shown data; null: it reads for the first time */
    const show = (queryKey = ['earnings', 'u', '30d'], live?: Live, known: number | null = 0) => {
      const observer = new QueryObserver(queries, {
        ...{ queryKey, queryFn: readOnce, staleTime: Number.POSITIVE_INFINITY },
        ...(live ? { meta: { live } } : {}),
      });
      if (known !== null) queries.setQueryData(queryKey, known);
      observer.subscribe(() => undefined);
      return () => queries.getQueryData(queryKey);
    };
    return { cache, readOnce, show, shown, queries };
  });
}

const reads = (all: ReturnType<typeof tabs>) => all.map(({ readOnce }) => readOnce.mock.calls.length);

it('when several tabs show an invalidated query, one reads it and all receive the data', async () => {
  const all = tabs(4);
  const read = all.map(({ show }) => show());
  all[0]?.cache.invalidate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)).toEqual([1, 0, 0, 0]);
  expect(read.map((each) => each())).toEqual([1, 1, 1, 1]);
});

it('a query that the invalidating tab does not show is read by the first of the others', async () => {
  const all = tabs(3);
  const read = all.slice(1).map(({ show }) => show());
  all[0]?.cache.invalidate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)).toEqual([0, 1, 0]);
  expect(read.map((each) => each())).toEqual([1, 1]);
});

it('a hidden tab reads nothing, and receives the data that another tab has read', async () => {
  const all = tabs(2);
  const read = all.map(({ show }) => show());
  if (all[1]) all[1].shown.seen = false;
  all[0]?.cache.invalidate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)).toEqual([1, 0]);
  expect(read[1]?.()).toBe(1);
  all[1]?.show(['tasks', 'u']);
  all[0]?.cache.invalidate([['tasks', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)).toEqual([1, 0]);
});

it('data and invalidations from a tab of another user are ignored', async () => {
  const all = tabs(2, (index) => ({ id: `u${index}` }) as never);
  const read = all.map(({ show }) => show());
  all[0]?.cache.setData(['earnings', 'u', '30d'], 9);
  all[0]?.cache.invalidate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)).toEqual([1, 0]);
  expect(read[1]?.()).toBe(0);
});

it('a read that fails in one tab is done by another', async () => {
  const all = tabs(2);
  const read = all.map(({ show }) => show());
  all[0]?.readOnce.mockRejectedValue(new Error('down'));
  all[0]?.cache.invalidate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)[1]).toBe(1);
  expect(read.map((each) => each())).toEqual([1, 1]);
});

it('an event invalidates the queries that name it in every tab, and one tab reads', async () => {
  const all = tabs(3);
  const read = all.map(({ show }) => show(['tasks', 'u'], { tasks: 1_000, checkin: 1_000 }));
  const other = all[0]?.show(['ledger', 'u'], { balance: 1_000 });
  all[0]?.cache.onEvent('tasks');
  await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
  expect(reads(all)).toEqual([1, 0, 0]);
  expect(read.map((each) => each())).toEqual([1, 1, 1]);
  expect(other?.()).toBe(0);
});

it('however many events arrive, a query is read again at most once per interval', async () => {
  const [tab] = tabs(1);
  tab?.show(['tasks', 'u'], { tasks: 1_000 });
  for (let event = 0; event < 50; event += 1) tab?.cache.onEvent('tasks');
  await vi.advanceTimersByTimeAsync(999);
  expect(tab?.readOnce).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(tab?.readOnce).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab?.readOnce).toHaveBeenCalledTimes(2);
});

it('after a gap, all queries with live events are read at once, and no others', async () => {
  const [tab] = tabs(1);
  const state = tab?.show(['node', 'u'], {});
  const tasksState = tab?.show(['tasks', 'u'], { tasks: 60_000 });
  const price = tab?.show(['sol-price']);
  tab?.cache.onEvent('tasks');
  await vi.advanceTimersByTimeAsync(1);
  tab?.cache.onEvent('tasks');
  tab?.cache.onEvent('all');
  await vi.advanceTimersByTimeAsync(1);
  expect([state?.(), tasksState?.(), price?.()]).toEqual([2, 3, 0]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(tab?.readOnce).toHaveBeenCalledTimes(3);
});

it('data that an event brought before any query showed it is invalidated after a gap', async () => {
  const [tab] = tabs(1);
  tab?.cache.setData(['epochs', 'current'], { name: 'first' });
  tab?.cache.onEvent('all');
  expect(tab?.queries.getQueryState(['epochs', 'current'])?.isInvalidated).toBe(true);
});

it('data that another tab has read is not stored in a tab without the query', async () => {
  const [one, other] = tabs(2);
  one?.show(['tasks', 'u'], { tasks: 1_000 });
  one?.cache.onEvent('tasks');
  await vi.advanceTimersByTimeAsync(1);
  expect(other?.queries.getQueryState(['tasks', 'u'])).toBeUndefined();
});

/** Starts a read in this tab. @returns the shown data, and a function that responds with an older state */
function reading(tab: ReturnType<typeof tabs>[number] | undefined, known: number | null) {
  let answer: (state: number) => void = () => undefined;
  tab?.readOnce.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const shown = tab?.show(['earnings', 'u', '30d'], { balance: 0 }, known);
  if (known !== null) void tab?.queries.refetchQueries({ queryKey: ['earnings'] });
  const answered = async () => {
    answer(-1);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { shown: () => shown?.(), answered };
}

describe.each([
  ['of what is shown', 0],
  ['for the first time', null],
])('a read %s that is under way when its query is invalidated', (_what, known) => {
  it('never replaces data that another tab has read since', async () => {
    const [one, other] = tabs(2);
    one?.show();
    const { shown, answered } = reading(other, known);
    one?.cache.invalidate([['earnings', 'u']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown()).toBe(1);
    await answered();
    await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
    expect([shown(), other?.readOnce.mock.calls.length]).toEqual([1, 1]);
  });

  it.each([
    ['before the wait for the others is over', 0],
    ['after it', 3 * OTHER_TABS_MS],
  ])('is read once more if no other tab reads it: response %s', async (_when, afterMs) => {
    const [one, other] = tabs(2);
    const { shown, answered } = reading(other, known);
    one?.cache.invalidate([['earnings', 'u']]);
    await vi.advanceTimersByTimeAsync(afterMs);
    await answered();
    await vi.advanceTimersByTimeAsync(5 * OTHER_TABS_MS);
    expect([shown(), other?.readOnce.mock.calls.length]).toEqual([1, 2]);
  });

  it('is read once more at once in the tab that invalidated it', async () => {
    const [one] = tabs(1);
    const { shown, answered } = reading(one, known);
    one?.cache.invalidate([['earnings', 'u']]);
    await answered();
    expect([shown(), one?.readOnce.mock.calls.length]).toEqual([1, 2]);
  });

  it('leaves the query invalidated in a hidden tab', async () => {
    const [one] = tabs(1);
    if (one) one.shown.seen = false;
    const { answered } = reading(one, known);
    one?.cache.onEvent('balance');
    await vi.advanceTimersByTimeAsync(1);
    await answered();
    expect(one?.queries.getQueryState(['earnings', 'u', '30d'])?.isInvalidated).toBe(true);
    expect(one?.readOnce).toHaveBeenCalledTimes(1);
  });

  it('never replaces the state that an event has brought since', async () => {
    const [one] = tabs(1);
    const { shown, answered } = reading(one, known);
    one?.cache.setData(['earnings', 'u', '30d'], 7);
    await answered();
    expect(shown()).toBe(7);
  });
});

it('data that other tabs cannot use is not sent: pages of a list, and what cannot be cloned', async () => {
  const all = tabs(2);
  const read = all.map(({ show }) => show());
  all[0]?.readOnce.mockResolvedValue({ pages: [1], pageParams: [0] } as never);
  all[0]?.cache.invalidate([['earnings', 'u']]);
  await vi.advanceTimersByTimeAsync(1);
  expect([read[0]?.(), read[1]?.()]).toEqual([{ pages: [1], pageParams: [0] }, 0]);
  const state = { of: () => 'a function' };
  all[0]?.cache.setData(['earnings', 'u', '30d'], state);
  expect([read[0]?.(), read[1]?.()]).toEqual([state, 0]);
});
