import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import { problem, sampleMining, sampleUser } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { AWAY, awayServer, KOFI, standing } from './away.fixtures';
import { AwayCard } from './away-card';

const meta = { title: 'Shell/Since you were away' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

function card(change: (shell: TestShell) => void = () => undefined, options: TestShellOptions = {}): Story {
  return storyIn(
    <AwayCard away={AWAY} />,
    (shell) => {
      awayServer(shell.sdk);
      change(shell);
    },
    { live: false, ...options },
  );
}

export const PassedAndPaused: Story = card();

export const KeptRunning: Story = card(
  ({ sdk }) => {
    const running = sampleMining({ earnings: 1_240 });
    sdk.api
      .on(miningEndpoints.current, running)
      .on(miningEndpoints.history, [running])
      .on(leaderboardEndpoints.me, standing(29, { ...KOFI, rank: 30 }))
      .fail(leaderboardEndpoints.miner, problem(404, 'gone'))
      .on(taskEndpoints.mine, []);
  },
  { user: sampleUser({ daily_checkin_claimed: true }) },
);

export const Asking: Story = card(({ sdk }) =>
  sdk.api.hang(miningEndpoints.history).hang(leaderboardEndpoints.me).hang(taskEndpoints.mine),
);

export const NotKnown: Story = card(({ sdk }) => {
  const down = problem(503, 'down');
  sdk.api.fail(miningEndpoints.history, down).fail(leaderboardEndpoints.me, down).fail(taskEndpoints.mine, down);
});
