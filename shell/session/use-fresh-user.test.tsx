import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { at, createTestSdk, sampleUser } from '@cord/sdk/testing';
import { act, inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { expect, it } from 'vitest';
import { useFreshUser } from './use-fresh-user';

inFakeTime();

function Page() {
  useFreshUser();
  return null;
}

function open(user = sampleUser() as ReturnType<typeof sampleUser> | null) {
  const sdk = createTestSdk({ user });
  sdk.api.on(at.users.get, sampleUser({ rank: 3 }));
  renderWithSdk(<Page />, sdk);
  return { sdk, reads: () => sdk.api.callsOf(at.users.get).length };
}

it('reads the record each minute while the live stream is down, not as the page opens', async () => {
  const { sdk, reads } = open();
  await settle();
  expect(reads()).toBe(0);
  await settle(STATS_REFETCH_MS);
  expect(reads()).toBe(1);
  expect(sdk.session.state.get().user?.rank).toBe(3);
  await act(async () => sdk.live.open.set(true));
  await settle(3 * STATS_REFETCH_MS);
  expect(reads()).toBe(1);
});

it.each(['tasks', 'checkin', 'referrals', 'orders', 'stats'] as const)(
  'reads it after an event of %s',
  async (kind) => {
    const { sdk, reads } = open();
    await settle();
    await act(async () => sdk.cache.onEvent(kind));
    await settle();
    expect(reads()).toBe(1);
  },
);

it('reads nothing without a user', async () => {
  const { reads } = open(null);
  await settle(2 * STATS_REFETCH_MS);
  expect(reads()).toBe(0);
});
