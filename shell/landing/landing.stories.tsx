import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { createStore } from '@cord/sdk';
import { problem } from '@cord/sdk/testing';
import { LoadingScreen as Loading } from '@cord/ui';
import picture from '@cord/ui/feedback/loading.svg';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import type { Ended } from '../app/create-shell';
import { StartFailed } from '../app/start-failed';
import { createStoryShell, StoryShell } from '../testing/story-shell';
import { Landing } from './landing';

const meta = { title: 'Shell/Logged out', parameters: { layout: 'fullscreen' } } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const LoadingScreen: Story = { render: () => <Loading picture={picture} /> };

export const ServerUnreachable: Story = { render: () => <StartFailed onRetry={() => undefined} /> };

export const RealFigures: Story = {
  render: () => (
    <StoryShell prepare={() => createStoryShell({ user: null })}>
      <Landing />
    </StoryShell>
  ),
};

export const FiguresNotKnown: Story = {
  render: () => (
    <StoryShell
      prepare={() => {
        const shell = createStoryShell({ user: null });
        shell.sdk.api
          .fail(leaderboardEndpoints.global, problem(503, 'Failed to fetch stats'))
          .fail(rewardEndpoints.currentEpoch, problem(503, 'down'));
        return shell;
      }}
    >
      <Landing />
    </StoryShell>
  ),
};

export const SessionEnded: Story = {
  render: () => (
    <StoryShell
      prepare={() => ({ ...createStoryShell({ user: null }), ended: createStore<Ended | null>('signed-out') })}
    >
      <Landing />
    </StoryShell>
  ),
};
