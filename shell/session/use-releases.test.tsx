import { RELEASE_KEY } from '@cord/sdk/host';
import { createTestSdk } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { beforeEach, expect, it, vi } from 'vitest';
import { READ_SPREAD_MS, useReleases } from './use-releases';

beforeEach(() => void vi.useFakeTimers());

const checkNow = vi.fn();
const checks = { checkForReleasesNow: checkNow, visit: vi.fn(), checkForReleases: vi.fn() };

function Watch() {
  useReleases(checks);
  return null;
}

it('a release event triggers one read of the registry within seconds, even if it comes twice', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  const pass = () => act(() => vi.advanceTimersByTimeAsync(READ_SPREAD_MS));
  await pass();
  expect(checkNow).not.toHaveBeenCalled();
  // Two gateways report the same release.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '8' }));
  await act(() => vi.advanceTimersByTimeAsync(READ_SPREAD_MS / 4));
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '9' }));
  await pass();
  expect(checkNow).toHaveBeenCalledOnce();
  await act(async () => void sdk.queries.setQueryData(RELEASE_KEY, { seq: '10' }));
  await pass();
  expect(checkNow).toHaveBeenCalledTimes(2);
});

it('an opened stream triggers a read, as a release may have been published before', async () => {
  checkNow.mockClear();
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  const pass = () => act(() => vi.advanceTimersByTimeAsync(READ_SPREAD_MS));
  for (const opened of [1, 2]) {
    await act(async () => sdk.live.open.set(true));
    await pass();
    expect(checkNow).toHaveBeenCalledTimes(opened);
    await act(async () => sdk.live.open.set(false));
    await pass();
  }
  expect(checkNow).toHaveBeenCalledTimes(2);
});

it('a change of tab is a visit and triggers a read, and so does a page that becomes visible', async () => {
  const sdk = createTestSdk();
  renderWithSdk(<Watch />, sdk);
  for (const spy of [checks.visit, checks.checkForReleases]) spy.mockClear();
  await act(async () => sdk.tabs.current.set('tasks'));
  expect(checks.visit).toHaveBeenCalledOnce();
  await act(() => vi.runAllTimersAsync());
  expect(checks.checkForReleases).toHaveBeenCalledOnce();
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(checks.checkForReleases).toHaveBeenCalledOnce();
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(checks.checkForReleases).toHaveBeenCalledTimes(2);
  state.mockRestore();
});
