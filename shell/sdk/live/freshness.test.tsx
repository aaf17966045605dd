import { useQuery } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { act, cleanup, inFakeTime, renderWithSdk, settle } from '../testing/render';
import { createTestSdk } from '../testing/test-sdk';
import { useFreshness } from './freshness';

inFakeTime();

const EVERY_MS = 30_000;
const read = vi.fn(async () => 'read');
const rendered = vi.fn();

function Reader({ always = false }) {
  rendered();
  return useQuery({ queryKey: ['streamed'], queryFn: read, ...useFreshness({ everyMs: EVERY_MS, always }) }).data;
}

it('reads at intervals only while the stream is closed, without a render when the stream opens or closes', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Reader />, sdk);
  await settle();
  const before = rendered.mock.calls.length;
  const readsIn = async (ms: number) => {
    const reads = read.mock.calls.length;
    await settle(ms);
    return read.mock.calls.length - reads;
  };
  expect(await readsIn(3 * EVERY_MS)).toBe(3);
  await act(async () => sdk.live.open.set(true));
  expect(await readsIn(9 * EVERY_MS)).toBe(0);
  await act(async () => sdk.live.open.set(false));
  expect(await readsIn(3 * EVERY_MS)).toBe(3);
  expect(rendered.mock.calls.length - before).toBe(0);
});

it('`always` reads at intervals while the stream is open, too', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Reader always />, sdk);
  await act(async () => sdk.live.open.set(true));
  await settle();
  const reads = read.mock.calls.length;
  await settle(3 * EVERY_MS);
  expect(read.mock.calls.length - reads).toBe(3);
});

it('backs off while reads fail, up to eight intervals', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const sdk = createTestSdk();
  renderWithSdk(<Reader />, sdk);
  await settle();
  read.mockRejectedValue(new Error('down'));
  const startedMs = Date.now();
  const atMs: number[] = [];
  let seen = read.mock.calls.length;
  while (atMs.length < 7) {
    await settle(EVERY_MS / 2);
    if (read.mock.calls.length > seen) atMs.push(Math.round((Date.now() - startedMs) / EVERY_MS));
    seen = read.mock.calls.length;
  }
  read.mockResolvedValue('read');
  expect(atMs).toEqual([1, 2, 4, 8, 16, 24, 32]);
});

it('reads old data that comes on screen only while the stream is down', async () => {
  const sdk = createTestSdk();
  const readsAtReturn = async () => {
    cleanup();
    await settle(2 * EVERY_MS);
    const reads = read.mock.calls.length;
    renderWithSdk(<Reader />, sdk);
    await settle();
    return read.mock.calls.length - reads;
  };
  renderWithSdk(<Reader />, sdk);
  await settle();
  expect(await readsAtReturn()).toBe(1);
  await act(async () => sdk.live.open.set(true));
  expect(await readsAtReturn()).toBe(0);
});
