import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Steps } from '../starter/steps.ts';

vi.spyOn(console, 'log').mockImplementation(() => undefined);

test('a step waits for those it names and for no other', async () => {
  const order: string[] = [];
  const step = (name: string, takesMs: number) => async () => {
    await sleep(takesMs);
    order.push(name);
  };
  await new Steps()
    .add('last', ['slow', 'quick'], step('last', 0))
    .add('slow', [], step('slow', 60))
    .add('quick', [], step('quick', 5))
    .add('after quick', ['quick'], step('after quick', 5))
    .run();
  expect(order).toEqual(['quick', 'after quick', 'slow', 'last']);
});

test('a failure stops what waits for it and is thrown', async () => {
  const ran: string[] = [];
  const steps = new Steps()
    .add('broken', [], async () => {
      throw new Error('no store');
    })
    .add('waits', ['broken'], async () => void ran.push('waits'))
    .add('waits for that', ['waits'], async () => void ran.push('waits for that'));
  await expect(steps.run()).rejects.toThrow('no store');
  expect(ran).toEqual([]);
});
