import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as supportEndpoints from '@cord/contracts/addresses/support';
import type { MiningSession } from '@cord/contracts/http/mining';
import {
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
import { expect, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { miningSdk, pausedMining } from '../mining.fixtures';
import { MiningPage } from './mining-page';

const meta = { title: 'Mining/Page', component: MiningPage } satisfies Meta<typeof MiningPage>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(session: MiningSession | null, prepare?: (sdk: TestSdk) => void): Story {
  return storyOf(MiningPage, () => miningSdk(session), prepare);
}

const iso = (ms: number) => new Date(ms).toISOString();

export const Running = story(sampleMining(), (sdk) => sdk.clock.advance(4_000));
export const Idle = story(null);
export const Loading = story(null, ({ api }) => {
  api.hang(miningEndpoints.current).hang(miningEndpoints.stats).hang(supportEndpoints.anticheat);
});

export const Starting: Story = {
  ...story(null, ({ api }) => api.hang(miningEndpoints.start)),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.click(await canvas.findByRole('button', { name: 'Start Mining' }));
    await expect(await canvas.findByRole('button', { name: 'Starting...' })).toHaveAttribute('aria-busy', 'true');
  },
};

export const Stopping: Story = {
  ...story(sampleMining(), ({ api }) => api.hang(miningEndpoints.end)),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.click(await canvas.findByRole('button', { name: 'Stop Mining' }));
    await expect(await canvas.findByRole('button', { name: 'Stopping...' })).toHaveAttribute('aria-busy', 'true');
  },
};

export const PausedByLease = story(pausedMining(388 * 60_000));

export const NotReachable = story(null, ({ api }) => {
  api.fail(miningEndpoints.current, problem(500, 'Failed to get current session'));
  api.healthy = null;
});

export const OutOfReach: Story = {
  ...story(sampleMining(), (sdk) => {
    sdk.clock.advance(4_000);
    sdk.connection.lostAtMs.set(sdk.clock.now());
  }),
  play: async ({ canvasElement }) => {
    document.documentElement.toggleAttribute('data-stale', true);
    actionGate.shut('Available when you are back online.');
    await expect(await within(canvasElement).findByText('LAST KNOWN')).toBeVisible();
  },
  beforeEach: () => () => {
    document.documentElement.removeAttribute('data-stale');
    actionGate.open();
  },
};

export const SavesFail = story(sampleMining(), (sdk) => {
  sdk.api.fail(miningEndpoints.save, offline('Failed to save mining progress'));
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
      supportEndpoints.anticheat,
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

export const EveryFactorAndBigNumbers: Story = {
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

/** Ticks in real time, and turns. */
export const Live: Story = {
  render: () => (
    <InSdk make={() => miningSdk(sampleMining(), { live: true })}>
      <MiningPage />
    </InSdk>
  ),
};
