import type { CurrentRate } from '@cord/contracts/http/mining';
import { rateKey, useCurrentEpoch, useRate } from '@cord/sdk';
import { at, createTestSdk, SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { act, advance, inFakeTime, renderWithSdk, settled } from '@cord/sdk/testing/render';
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
  return (
    <output>
      {useRate()?.perMinute} {useCurrentEpoch().data?.name}
    </output>
  );
}

const end = { rateUntil: null, nextFactors: null, nextRateNano: null };
const serverRate = { rate: 1.925, rateNano: '1925000000', factors, ...end, serverTime, rulesChange: null };
const gamma = { ...factors, epoch: 1.2, epochId: 'gamma' };
const shown = () => screen.getByRole('status').textContent;

async function show(running: boolean, rate: CurrentRate = serverRate) {
  const user = sampleUser();
  const sdk = createTestSdk({ user });
  sdk.live.open.set(true);
  sdk.api
    .on(at.mining.current, running ? sampleMining(rate) : null)
    .on(at.mining.rate, rate)
    .on(at.rewards.currentEpoch, epoch);
  renderWithSdk(<Page />, sdk);
  await settled(sdk);
  return { sdk, user };
}

test('a rate from the live stream is shown at once, and its epoch is read', async () => {
  const { sdk, user } = await show(false);
  expect(shown()).toBe('1.925 Beta');
  sdk.api.on(at.rewards.currentEpoch, { ...epoch, id: 'gamma', name: 'Gamma' });
  await act(async () =>
    sdk.cache.setData(rateKey(user.id), { ...serverRate, rate: 2.1, rateNano: '2100000000', factors: gamma }),
  );
  await settled(sdk);
  expect(shown()).toBe('2.1 Gamma');
});

test('while the stream is open, the rate is not read again', async () => {
  const { sdk } = await show(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sdk.api.callsOf(at.mining.rate)).toHaveLength(1);
});

test.each([
  ['running', true],
  ['idle', false],
])(
  'an expired rate is replaced by the next one at once, and read within a minute, with a node that is %s',
  async (_, running) => {
    const rateUntil = new Date(SAMPLE_NOW_MS + 5_000).toISOString();
    const { sdk } = await show(running, { ...serverRate, rateUntil, nextFactors: gamma, nextRateNano: '2100000000' });
    await advance(sdk, 4_999);
    expect(shown()).toBe('1.925 Beta');
    await advance(sdk, 1);
    expect(shown()).toBe('2.1 Beta');
    expect(sdk.api.callsOf(at.mining.rate)).toHaveLength(1);
    sdk.api.on(at.mining.rate, { ...serverRate, rate: 2.1, rateNano: '2100000000', factors: gamma });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sdk.api.callsOf(at.mining.rate)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sdk.api.callsOf(at.mining.rate)).toHaveLength(2);
  },
);

test('a tab without the lead does not read the rate', async () => {
  const rateUntil = new Date(SAMPLE_NOW_MS + 5_000).toISOString();
  const { sdk } = await show(false, { ...serverRate, rateUntil, nextFactors: gamma, nextRateNano: '2100000000' });
  sdk.live.leading.set(false);
  await advance(sdk, 5_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sdk.api.callsOf(at.mining.rate)).toHaveLength(1);
});
