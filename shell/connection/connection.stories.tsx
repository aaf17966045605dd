import { SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { expect, screen, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Dashboard } from '../dashboard/dashboard';
import { Header } from '../header/header';
import { Settings } from '../settings/settings';
import { expectNoneHidden } from '../testing/not-hidden';
import { storyIn } from '../testing/story-shell';
import { ConnectionStrip } from './connection-strip';

export default { title: 'Shell/Out of reach', parameters: { layout: 'fullscreen' } };

/** The app around a page, just after the server became unreachable. */
function outOfReach(page: React.ReactNode): StoryObj {
  return {
    ...storyIn(
      <div style={{ paddingTop: 'var(--header)' }}>
        <Header onOpenMenu={() => undefined} />
        <ConnectionStrip />
        <main style={{ padding: '24px var(--gutter)' }}>{page}</main>
      </div>,
      ({ sdk }) => {
        setTimeout(() => sdk.connection.lostAtMs.set(SAMPLE_NOW_MS), 100);
      },
    ),
    play: async ({ canvas }) => {
      await canvas.findByText(/^CORD has been out of reach since/);
      await expect(document.documentElement).toHaveAttribute('data-stale');
    },
  };
}

export const OnTheDashboard: StoryObj = {
  ...outOfReach(<Dashboard />),
  play: async (context) => {
    await outOfReach(null).play?.(context);
    const claim = await screen.findByRole('button', { name: 'Claim 5,000 CORD' });
    await expect(claim).toHaveAttribute('aria-disabled', 'true');
    await expect(claim).toHaveAccessibleDescription('Available when you are back online.');
  },
};

export const OnTheSettings: StoryObj = {
  ...outOfReach(<Settings />),
  tags: ['w320'],
  play: async (context) => {
    await outOfReach(null).play?.(context);
    await expectNoneHidden(await within(context.canvasElement).findByRole('main'));
  },
};
