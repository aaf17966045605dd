import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { Dashboard } from './dashboard';

export default { title: 'Shell/Dashboard' };

function dashboard(options: TestShellOptions = {}, change?: (shell: TestShell) => void): StoryObj {
  return storyIn(<Dashboard />, change, options);
}

export const Running: StoryObj = dashboard();

export const NewMiner: StoryObj = dashboard(
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
  (shell) => shell.sdk.api.on(at.mining.current, null),
);

export const BadgeHolder: StoryObj = dashboard({ user: sampleUser({ hasbadgeofhonor: true, rate: 2.02125 }) });

export const ServicesDown: StoryObj = dashboard({}, ({ sdk }) =>
  sdk.api
    .fail(at.leaderboard.global, problem(503, 'Failed to fetch stats'))
    .fail(at.rewards.currentEpoch, problem(503, 'down'))
    .fail(at.rewards.compensationStatus, problem(503, 'down')),
);

export const CompensationClaimed: StoryObj = dashboard({}, ({ sdk }) =>
  sdk.api.on(at.rewards.compensationStatus, { available: true, claimed: true, amount: 5_000, claimedAt: null }),
);

export const CompensationFailed: StoryObj = {
  ...dashboard({}, ({ sdk }) => sdk.api.fail(at.rewards.compensation, offline())),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Claim 5,000 CORD' }));
    await canvas.findByText('Network error. Please try again.');
  },
};
