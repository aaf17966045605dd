import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { offline, problem, sampleUser } from '@cord/sdk/testing';
import { userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { Dashboard } from './dashboard';

const meta = { title: 'Shell/Dashboard' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

function dashboard(options: TestShellOptions = {}, change?: (shell: TestShell) => void): Story {
  return storyIn(<Dashboard />, change, options);
}

export const Running: Story = dashboard();

export const NewMiner: Story = dashboard(
  {
    user: sampleUser({
      rank: null,
      join_date: sampleUser().last_login_time,
      current_balance: 870,
      daily_earnings: 870,
      weekly_earnings: 870,
      monthly_earnings: 870,
    }),
  },
  (shell) => shell.sdk.api.on(miningEndpoints.current, null),
);

export const BadgeHolder: Story = dashboard({ user: sampleUser({ hasbadgeofhonor: true, rate: 2.02125 }) });

export const ServicesDown: Story = dashboard({}, ({ sdk }) =>
  sdk.api
    .fail(leaderboardEndpoints.global, problem(503, 'Failed to fetch stats'))
    .fail(rewardEndpoints.currentEpoch, problem(503, 'down'))
    .fail(rewardEndpoints.compensationStatus, problem(503, 'down')),
);

export const CompensationClaimed: Story = dashboard({}, ({ sdk }) =>
  sdk.api.on(rewardEndpoints.compensationStatus, { available: true, claimed: true, amount: 5_000, claimedAt: null }),
);

export const CompensationFailed: Story = {
  ...dashboard({}, ({ sdk }) => sdk.api.fail(rewardEndpoints.compensation, offline())),
  play: async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByRole('button', { name: 'Claim 5,000 CORD' }));
    await within(canvasElement).findByText('Network error. Please try again.');
  },
};
