import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { problem } from '@cord/sdk/testing';
import { LoadingScreen as Loading } from '@cord/ui';
import picture from '@cord/ui/feedback/loading.svg';
import { expect, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { StartFailed } from '../app/start-failed';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { Landing } from './landing';

const meta = { title: 'Shell/Logged out', parameters: { layout: 'fullscreen' } } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const LoadingScreen: Story = { render: () => <Loading picture={picture} /> };

export const ServerUnreachable: Story = { render: () => <StartFailed onRetry={() => undefined} /> };

const landing = (change?: (shell: TestShell) => void): Story => storyIn(<Landing />, change, { user: null });

/** A link in a sentence has the colour of links, not the browser's own. */
export const RealFigures: Story = {
  ...landing(),
  play: async ({ canvasElement }) => {
    const link = await within(canvasElement).findByRole('link', { name: 'Rules' });
    const sky = document.createElement('i');
    sky.style.color = 'var(--sky)';
    link.append(sky);
    expect(getComputedStyle(link).color).toBe(getComputedStyle(sky).color);
    sky.remove();
  },
};

export const FiguresNotKnown: Story = landing(({ sdk }) =>
  sdk.api
    .fail(leaderboardEndpoints.global, problem(503, 'Failed to fetch stats'))
    .fail(rewardEndpoints.currentEpoch, problem(503, 'down')),
);

export const SessionEnded: Story = landing(({ ended }) => ended.set('signed-out'));
