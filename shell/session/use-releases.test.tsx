import { RELEASE_KEY } from '@cord/sdk/host';
import { createTestSdk } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { beforeEach, expect, it, vi } from 'vitest';
import { READ_SPREAD_MS, useReleases } from './use-releases';

beforeEach(() => void vi.useFakeTimers());

const look = vi.fn();
const looks = { lookNow: look, visit: vi.fn(), lookForReleases: vi.fn() };

function Watch() {
  useReleases(looks);
  return null;
}

it('a release event triggers one read of the registry within seconds, even if it comes twice', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  const pass = () => act(() => vi.advanceTimersByTimeAsync(READ_SPREAD_MS));
  await pass();
  expect(look).not.toHaveBeenCalled();
  // Two gateways report the same release.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '8' }));
  await act(() => vi.advanceTimersByTimeAsync(READ_SPREAD_MS / 4));
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '9' }));
  await pass();
  expect(look).toHaveBeenCalledOnce();
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '10' }));
  await pass();
  expect(look).toHaveBeenCalledTimes(2);
});

it('an opened stream triggers a read, as a release may have been published before', async () => {
  look.mockClear();
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  const pass = () => act(() => vi.advanceTimersByTimeAsync(READ_SPREAD_MS));
  for (const opened of [1, 2]) {
    await act(async () => sdk.live.open.set(true));
    await pass();
    expect(look).toHaveBeenCalledTimes(opened);
    await act(async () => sdk.live.open.set(false));
    await pass();
  }
  expect(look).toHaveBeenCalledTimes(2);
});

it('a change of tab is a visit and triggers a read, and so does a page that becomes visible', async () => {
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
