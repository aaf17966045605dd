import { RELEASE_KEY } from '@cord/sdk/host';
import { createTestSdk } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { beforeEach, expect, it, vi } from 'vitest';
import { LOOK_WITHIN_MS, useReleases } from './use-releases';

beforeEach(() => void vi.useFakeTimers());

const look = vi.fn();
const looks = { lookNow: look, visit: vi.fn(), lookForReleases: vi.fn() };

function Watch() {
  useReleases(looks);
  return null;
}

it('a reported release has the registry read once, within seconds and not before it is reported', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  const pass = () => act(() => vi.advanceTimersByTimeAsync(LOOK_WITHIN_MS));
  await pass();
  expect(look).not.toHaveBeenCalled();
  // Two gateways report the same release.
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '8' }));
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '9' }));
  await pass();
  expect(look).toHaveBeenCalledOnce();
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '10' }));
  await pass();
  expect(look).toHaveBeenCalledTimes(2);
});

it('a stream that opens has it read, for a release may have been reported before', async () => {
  look.mockClear();
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  const pass = () => act(() => vi.advanceTimersByTimeAsync(LOOK_WITHIN_MS));
  for (const opened of [1, 2]) {
    await act(async () => sdk.live.open.set(true));
    await pass();
    expect(look).toHaveBeenCalledTimes(opened);
    await act(async () => sdk.live.open.set(false));
    await pass();
  }
  expect(look).toHaveBeenCalledTimes(2);
});

it('a visit of a tab and a page that is looked at again have it read, the visit with what had come by then', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  for (const spy of [looks.visit, looks.lookForReleases]) spy.mockClear();
  await act(async () => sdk.tabs.current.set('tasks'));
  expect(looks.visit).toHaveBeenCalledOnce();
  await act(() => vi.runAllTimersAsync());
  expect(looks.lookForReleases).toHaveBeenCalledOnce();
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(looks.lookForReleases).toHaveBeenCalledOnce();
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(looks.lookForReleases).toHaveBeenCalledTimes(2);
  state.mockRestore();
});
