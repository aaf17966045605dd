import { expect, it } from 'vitest';
import { createRefreshed, createShared } from './shared.js';

it('is computed once for all callers within its time, and again after it', async () => {
  const shared = createShared<number>(10);
  let made = 0;
  const get = (nowMs: number) => shared.get(nowMs, async () => ++made);
  expect([await get(0), await get(9), await get(10), await get(19), await get(20)]).toEqual([1, 1, 2, 2, 3]);
});

it('is computed again by the next caller after a failure, and an older failure removes no newer value', async () => {
  const shared = createShared<string>(10);
  await expect(shared.get(0, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  let fail = (_reason: Error): void => undefined;
  const old = shared.get(1, () => new Promise((_, reject) => (fail = reject)));
  const newer = shared.get(20, async () => 'newer');
  fail(new Error('late'));
  await expect(old).rejects.toThrow('late');
  expect([await newer, await shared.get(21, async () => 'newest')]).toEqual(['newer', 'newer']);
});

it('is computed again after invalidation, whatever its age', async () => {
  const shared = createShared<number>(10);
  let made = 0;
  const get = (nowMs: number) => shared.get(nowMs, async () => ++made);
  expect(await get(0)).toBe(1);
  shared.forget();
  expect([await get(1), await get(2)]).toEqual([2, 2]);
});

it('a running read is awaited, and repeated only when it began too long ago', async () => {
  const times = { nowMs: 0, reads: 0 };
  let end: () => void = () => undefined;
  const read = () => {
    times.reads += 1;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  const { refresh, isFresh, ensureFresh } = createRefreshed(read, 10, () => times.nowMs);
  const first = refresh();
  expect([refresh() === first, isFresh()]).toEqual([true, false]);
  times.nowMs = 9;
  const young = ensureFresh();
  end();
  await Promise.all([first, young]);
  expect([times.reads, isFresh(), ensureFresh()]).toEqual([1, true, null]);
  times.nowMs = 10;
  const second = refresh();
  times.nowMs = 20;
  const old = ensureFresh();
  end();
  await second;
  await expect.poll(() => times.reads).toBe(3);
  end();
  await old;
  expect(isFresh()).toBe(true);
});

it('a failed read leaves the previous one as fresh as it is', async () => {
  let nowMs = 0;
  let fails = false;
  const read = async () => {
    if (fails) throw new Error('away');
  };
  const { refresh, isFresh, ensureFresh } = createRefreshed(read, 10, () => nowMs);
  await refresh();
  [nowMs, fails] = [9, true];
  await expect(refresh()).rejects.toThrow('away');
  expect([isFresh(), ensureFresh()]).toEqual([true, null]);
  nowMs = 10;
  await expect(ensureFresh()).rejects.toThrow('away');
  // A clock that was set back knows no better.
  nowMs = -10;
  expect(isFresh()).toBe(false);
});
