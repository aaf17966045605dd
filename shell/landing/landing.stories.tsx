import { at, problem } from '@cord/sdk/testing';
import { expect } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { StartFailed } from '../app/start-failed';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { Landing } from './landing';

export default { title: 'Shell/Logged out', parameters: { layout: 'fullscreen' } };

export const ServerUnreachable: StoryObj = { render: () => <StartFailed onRetry={() => undefined} /> };

const landing = (change?: (shell: TestShell) => void): StoryObj => storyIn(<Landing />, change, { user: null });

/** A link in a sentence has the design's link colour, not the browser's. */
export const RealFigures: StoryObj = {
  ...landing(),
  play: async ({ canvas }) => {
    const link = await canvas.findByRole('link', { name: 'Rules' });
    const sky = document.createElement('i');
    sky.style.color = 'var(--sky)';
    link.append(sky);
    expect(getComputedStyle(link).color).toBe(getComputedStyle(sky).color);
    sky.remove();
  },
};

export const FiguresNotKnown: StoryObj = landing(({ sdk }) =>
  sdk.api
    .fail(at.leaderboard.global, problem(503, 'Failed to fetch stats'))
    .fail(at.rewards.currentEpoch, problem(503, 'down')),
);

export const SessionEnded: StoryObj = landing(({ ended }) => ended.set('signed-out'));
