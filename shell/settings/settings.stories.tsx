import { authEndpoints } from '@cord/contracts/http/auth';
import { userEndpoints } from '@cord/contracts/http/users';
import { problem } from '@cord/sdk/testing';
import { userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { SignOutDialog } from '../session/sign-out-dialog';
import { createStoryShell, StoryShell } from '../testing/story-shell';
import { Settings } from './settings';

const meta = { title: 'Shell/Settings' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const Everything: Story = {
  render: () => (
    <StoryShell>
      <Settings />
    </StoryShell>
  ),
};

export const NotLoaded: Story = {
  render: () => (
    <StoryShell
      prepare={() => {
        const shell = createStoryShell();
        shell.sdk.api
          .fail(userEndpoints.getSettings, problem(503, 'Failed to get user settings'))
          .fail(authEndpoints.sessions, problem(503, 'down'));
        return shell;
      }}
    >
      <Settings />
    </StoryShell>
  ),
};

export const DeleteAccount: Story = {
  ...Everything,
  play: async ({ canvasElement }) => {
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Delete account' }));
  },
};

export const SignOut: Story = {
  render: () => (
    <StoryShell>
      <SignOutDialog open onOpenChange={() => undefined} />
    </StoryShell>
  ),
};
