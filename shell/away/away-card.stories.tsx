import { at, problem, sampleMining, sampleUser } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { AWAY, awayServer, KOFI, standing } from './away.fixtures';
import { AwayCard } from './away-card';

export default { title: 'Shell/Since you were away' };

function card(change: (shell: TestShell) => void = () => undefined, options: TestShellOptions = {}): StoryObj {
  return storyIn(
    <AwayCard away={AWAY} />,
    (shell) => {
      awayServer(shell.sdk);
      change(shell);
    },
    { live: false, ...options },
  );
}

export const PassedAndPaused: StoryObj = card();

export const KeptRunning: StoryObj = card(
  ({ sdk }) => {
    const running = sampleMining({ earnings: 1_240 });
    sdk.api
      .on(at.mining.current, running)
      .on(at.mining.history, [running])
      .on(at.leaderboard.me, standing(29, { ...KOFI, rank: 30 }))
      .fail(at.leaderboard.miner, problem(404, 'gone'))
      .on(at.tasks.mine, []);
  },
  { user: sampleUser({ daily_checkin_claimed: true }) },
);

export const Asking: StoryObj = card(({ sdk }) =>
  sdk.api.hang(at.mining.history).hang(at.leaderboard.me).hang(at.tasks.mine),
);

export const NotKnown: StoryObj = card(({ sdk }) => {
  const down = problem(503, 'down');
  sdk.api.fail(at.mining.history, down).fail(at.leaderboard.me, down).fail(at.tasks.mine, down);
});
