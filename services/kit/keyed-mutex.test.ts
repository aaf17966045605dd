import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentCause, runWithCause } from './cause.js';
import { createKeyedMutex } from './keyed-mutex.js';

it('runs work of one key in order, other keys concurrently, and continues after a failure', async () => {
  const mutex = createKeyedMutex();
  const order: string[] = [];
  const work = (key: string, name: string, fails = false) =>
    mutex.run(key, async () => {
      order.push(`${name} begins`);
      await sleep(1);
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const outcomes = Promise.allSettled([work('a', 'a1', true), work('a', 'a2'), work('b', 'b1')]);
  expect([mutex.waiting('a'), mutex.waiting('b'), mutex.waiting('c')]).toEqual([2, 1, 0]);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(order.filter((step) => step.startsWith('a'))).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
  expect(order.indexOf('b1 begins')).toBeLessThan(order.indexOf('a1 ends'));
  expect([mutex.waiting('a'), mutex.waiting('b')]).toEqual([0, 0]);
});

it('runs waiting work with the cause of its own call', async () => {
  const mutex = createKeyedMutex();
  const seen: unknown[] = [];
  const causes = ['first', 'second'].map((requestId) => ({ requestId, traceparent: requestId }));
  const work = async () => {
    await sleep(1);
    seen.push(currentCause());
  };
  await Promise.all(causes.map((cause) => runWithCause(cause, () => mutex.run('a', work))));
  expect(seen).toEqual(causes);
});
