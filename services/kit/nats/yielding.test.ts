import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createYielding, type Yielding } from './yielding.js';

const LOOK_MS = 100;
/** Where a busy machine must not look like a loss. */
const CALM_LOOK_MS = 500;

let yielding: Yielding;
afterEach(() => yielding.stop());

/** Yields while `isLost`, from the next look on. @returns each change that followers have got */
function follow(isLost: () => boolean, everyMs: number): boolean[] {
  yielding = createYielding(everyMs);
  const changes: boolean[] = [];
  yielding.onYield((yields) => changes.push(yields));
  yielding.yieldWhile(isLost);
  return changes;
}

/** Blocks the process, like a long computation, or a machine that gives it no time. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('a process that was blocked does not yield for messages that it could not receive meanwhile', async () => {
  let turnedMs = performance.now();
  let isOpen = true;
  const turn = () => {
    turnedMs = performance.now();
    if (isOpen) setImmediate(turn);
  };
  turn();
  const changes = follow(() => performance.now() - turnedMs > 2 * CALM_LOOK_MS, CALM_LOOK_MS);
  await sleep(2 * CALM_LOOK_MS);
  for (let times = 0; times < 2; times += 1) {
    standStill(4 * CALM_LOOK_MS);
    await sleep(2 * CALM_LOOK_MS);
  }
  isOpen = false;
  expect(changes).toEqual([]);
});

it('a process that is blocked repeatedly still detects a loss and its end', async () => {
  let isLost = true;
  const changes = follow(() => isLost, LOOK_MS);
  const busy = setInterval(() => standStill(3 * LOOK_MS), 1);
  await expect.poll(() => changes).toEqual([true]);
  isLost = false;
  await expect.poll(() => changes).toEqual([true, false]);
  clearInterval(busy);
  expect(yielding.isYielding()).toBe(false);
});
