// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { bringSignedInCode } from '../signed-in-code';
import { createTestSdk, sampleUser } from '../testing';
import { liveLater } from './later';
import { createLive } from './live';
import { createFakeLocks } from './testing';

test('the live stream is created once, at its first run, and keeps the store that was read before', async () => {
  const locks = createFakeLocks();
  const source = Object.assign(new EventTarget(), { readyState: 0, close: () => undefined });
  const live = liveLater({
    ...createTestSdk({ user: sampleUser() }),
    locks: locks.of('this'),
    connect: () => source as never,
  });
  expect(live.leads()).toBe(false);

  const create = vi.fn(createLive);
  bringSignedInCode({ createLive: create } as never);
  const letGo = live.run();
  await expect.poll(() => live.leads()).toBe(true);
  letGo();
  live.run()();
  expect(create).toHaveBeenCalledOnce();
  expect(create.mock.calls[0]?.[0].open).toBe(live.open);
});
