import { useQuery } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { act, inFakeTime, renderWithSdk, settle } from '../testing/render';
import { createTestSdk } from '../testing/test-sdk';
import { useFreshness } from './freshness';

inFakeTime();

const EVERY_MS = 30_000;
const read = vi.fn(async () => 'read');
const rendered = vi.fn();

function Reader() {
  rendered();
  return useQuery({ queryKey: ['streamed'], queryFn: read, ...useFreshness({ everyMs: EVERY_MS }) }).data;
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
