import type { MiningSession } from '@cord/contracts/http/mining';
import {
  at,
  InSdk,
  offline,
  problem,
  SAMPLE_NOW_MS,
  sampleCheck,
  sampleMining,
  sampleUser,
  storyOf,
  type TestSdk,
} from '@cord/sdk/testing';
import { actionGate } from '@cord/ui';
import { expect, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { miningSdk, pausedMining } from '../mining.fixtures';
import { MiningPage } from './mining-page';

export default { title: 'Mining/Page', component: MiningPage };

function story(session: MiningSession | null, prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(MiningPage, () => miningSdk(session), prepare);
}

const iso = (ms: number) => new Date(ms).toISOString();

export const Running = story(sampleMining(), (sdk) => sdk.clock.advance(4_000));
export const Idle = story(null);
export const Loading = story(null, ({ api }) => {
  api.hang(at.mining.current).hang(at.mining.stats).hang(at.support.anticheat);
});

export const Starting: StoryObj = {
  ...story(null, ({ api }) => api.hang(at.mining.start)),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Start Mining' }));
    await expect(await canvas.findByRole('button', { name: 'Starting...' })).toHaveAttribute('aria-busy', 'true');
  },
};

export const Stopping: StoryObj = {
  ...story(sampleMining(), ({ api }) => api.hang(at.mining.end)),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Stop Mining' }));
    await expect(await canvas.findByRole('button', { name: 'Stopping...' })).toHaveAttribute('aria-busy', 'true');
  },
};

export const PausedByLease = story(pausedMining(388 * 60_000));

export const NotReachable = story(null, ({ api }) => {
  api.fail(at.mining.current, problem(500, 'Failed to get current session'));
  api.healthy = null;
});

export const OutOfReach: StoryObj = {
  ...story(sampleMining(), (sdk) => {
    sdk.clock.advance(4_000);
    sdk.connection.lostAtMs.set(sdk.clock.now());
  }),
  play: async ({ canvas }) => {
    document.documentElement.toggleAttribute('data-stale', true);
    actionGate.shut('Available when you are back online.');
    await expect(await canvas.findByText('LAST KNOWN')).toBeVisible();
  },
  beforeEach: () => () => {
    document.documentElement.removeAttribute('data-stale');
    actionGate.open();
  },
};

export const SavesFail = story(sampleMining(), (sdk) => {
  sdk.api.fail(at.mining.save, offline('Failed to save mining progress'));
  for (let second = 0; second < 40; second += 1) setTimeout(() => sdk.clock.advance(1_000), second * 20);
});

export const ServicesDown = story(sampleMining(), ({ api }) => {
  api.healthy = { status: 'degraded', services: { mining: 'ok', tasks: 'ok', leaderboard: 'down', rewards: 'down' } };
});

export const SharedNetwork = story(
  sampleMining({
    earnings: 38.61,
    rate: 1.44375,
    rateNano: '1443750000',
    efficiency: 75,
    factors: { tier: 3.5, antiCheat: 0.75, badge: false, epoch: 1.1, epochId: 'beta' },
  }),
  ({ api }) =>
    api.on(
      at.support.anticheat,
      sampleCheck({
        efficiencyMultiplier: 0.75,
        penaltyLevel: 1,
        levelName: 'Level 1',
        isFlagged: true,
        totalUsersOnIp: 3,
        otherUsersOnIp: 2,
        mayAppeal: true,
      }),
    ),
);

export const EveryFactorAndBigNumbers: StoryObj = {
  render: () => (
    <InSdk
      make={() =>
        miningSdk(
          sampleMining({
            earnings: 9_999_999.87,
            rate: 6.825,
            rateNano: '6825000000',
            efficiency: 100,
            startedAt: iso(SAMPLE_NOW_MS - 123 * 3_600_000),
            factors: { tier: 10, antiCheat: 1, badge: true, epoch: 1.3, epochId: 'delta' },
          }),
          { user: sampleUser({ multiplier: 10, account_age: 10.2, hasbadgeofhonor: true }) },
        )
      }
    >
      <MiningPage />
    </InSdk>
  ),
};

/** Ticks in real time, and animates. */
export const Live: StoryObj = {
  render: () => (
    <InSdk make={() => miningSdk(sampleMining(), { live: true })}>
      <MiningPage />
    </InSdk>
  ),
};
