import { expect, it } from 'vitest';
import { createShared } from './shared.js';

it('is made once for all callers within its time, and anew after it', async () => {
  const shared = createShared<number>(10);
  let made = 0;
  const get = (nowMs: number) => shared.get(nowMs, async () => ++made);
  expect([await get(0), await get(9), await get(10), await get(19), await get(20)]).toEqual([1, 1, 2, 2, 3]);
});

it('is made anew by the next caller where that has failed; an older failure takes nothing newer away', async () => {
  const shared = createShared<string>(10);
  await expect(shared.get(0, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  let fail = (_reason: Error): void => undefined;
  const old = shared.get(1, () => new Promise((_, reject) => (fail = reject)));
  const newer = shared.get(20, async () => 'newer');
  fail(new Error('late'));
  await expect(old).rejects.toThrow('late');
  expect([await newer, await shared.get(21, async () => 'newest')]).toEqual(['newer', 'newer']);
});

it('is made anew after it was forgotten, however young it is', async () => {
  const shared = createShared<number>(10);
  let made = 0;
  const get = (nowMs: number) => shared.get(nowMs, async () => ++made);
  expect(await get(0)).toBe(1);
  shared.forget();
  expect([await get(1), await get(2)]).toEqual([2, 2]);
});
