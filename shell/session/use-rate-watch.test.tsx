// @vitest-environment jsdom
import { miningEndpoints } from '@cord/contracts/http/mining';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { userEndpoints } from '@cord/contracts/http/users';
import { useCurrentEpoch, useMiningSession, useSession } from '@cord/sdk';
import { createTestSdk, SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { advance, inFakeTime, renderWithSdk, settled } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useRateWatch } from './use-rate-watch';

inFakeTime();

const serverTime = new Date(SAMPLE_NOW_MS).toISOString();
const factors = { tier: 3.5, antiCheat: 1, badge: false, epoch: 1.1, epochId: 'beta' };
const epoch = {
  id: 'beta',
  name: 'Beta',
  description: 'The second epoch',
  rewardsMultiplier: 1.1,
  startDate: serverTime,
  endDate: serverTime,
};

function Page() {
  useRateWatch();
  const { user } = useSession();
  return (
    <output>
      {useMiningSession()?.rate ?? user?.rate} {useCurrentEpoch().data?.name}
    </output>
  );
}

const noEnd = { rateUntil: null, nextFactors: null };

async function show(running: boolean) {
  const user = sampleUser();
  const sdk = createTestSdk({ user });
  sdk.api
    .on(miningEndpoints.current, running ? sampleMining() : null)
    .on(miningEndpoints.rate, { rate: 1.925, rateNano: '1925000000', factors, ...noEnd, serverTime })
    .on(rewardEndpoints.currentEpoch, epoch);
  renderWithSdk(<Page />, sdk);
  await settled(sdk);
  return { sdk, user };
}

test.each([
  ['running', true],
  ['idle', false],
])('a new epoch shows within two seconds on a page with a node that is %s', async (_, running) => {
  const { sdk, user } = await show(running);
  expect(screen.getByRole('status').textContent).toBe('1.925 Beta');

  sdk.api
    .on(miningEndpoints.rate, {
      rate: 2.1,
      rateNano: '2100000000',
      factors: { ...factors, epoch: 1.2 },
      ...noEnd,
      serverTime,
    })
    .on(miningEndpoints.current, running ? sampleMining({ rate: 2.1, rateNano: '2100000000' }) : null)
    .on(userEndpoints.get, { ...user, rate: 2.1 })
    .on(rewardEndpoints.currentEpoch, { ...epoch, id: 'gamma', name: 'Gamma' });
  await vi.advanceTimersByTimeAsync(2_000);
  await advance(sdk, 0);
  expect(screen.getByRole('status').textContent).toBe('2.1 Gamma');
});
