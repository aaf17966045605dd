import { expect, test, vi } from 'vitest';
import { Steps } from '../starter/steps.ts';

vi.spyOn(console, 'log').mockImplementation(() => undefined);

test('a step waits only for the steps that it names', async () => {
  const order: string[] = [];
  let endSlow = (): void => undefined;
  const slow = new Promise<void>((resolve) => {
    endSlow = resolve;
  });
  const step = (name: string) => async () => void order.push(name);
  await new Steps()
    .add('last', ['slow', 'quick'], step('last'))
    .add('slow', [], async () => {
      await slow;
      order.push('slow');
    })
    .add('quick', [], step('quick'))
    .add('after quick', ['quick'], async () => {
      order.push('after quick');
      endSlow();
    })
    .run();
  expect(order).toEqual(['quick', 'after quick', 'slow', 'last']);
});

test('a failed step skips its dependents and is thrown', async () => {
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
