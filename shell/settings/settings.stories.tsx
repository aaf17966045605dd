import * as authEndpoints from '@cord/contracts/addresses/auth';
import * as supportEndpoints from '@cord/contracts/addresses/support';
import * as userEndpoints from '@cord/contracts/addresses/users';
import { problem, sampleUser } from '@cord/sdk/testing';
import { screen, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { SignOutDialog } from '../session/sign-out-dialog';
import { ANSWERED, LEVEL_1, storyIn, WAITING } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { Settings } from './settings';

const meta = { title: 'Shell/Settings' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const settings = (change?: (shell: TestShell) => void, options?: TestShellOptions): Story =>
  storyIn(<Settings />, change, options);

export const Everything: Story = settings();

export const NotLoaded: Story = settings(({ sdk }) =>
  sdk.api
    .fail(userEndpoints.getSettings, problem(503, 'Failed to get user settings'))
    .fail(authEndpoints.sessions, problem(503, 'down'))
    .fail(supportEndpoints.anticheat, problem(503, 'down'))
    .fail(supportEndpoints.mine, problem(503, 'down')),
);

export const FlaggedMayAppeal: Story = {
  ...settings(({ sdk }) => sdk.api.on(supportEndpoints.anticheat, LEVEL_1)),
  play: async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByRole('button', { name: 'Appeal' }));
    await screen.findByRole('dialog', { name: 'Appeal the network check' });
  },
};

export const AppealWaits: Story = settings(({ sdk }) =>
  sdk.api
    .on(supportEndpoints.anticheat, LEVEL_1)
    .on(supportEndpoints.mine, [{ ...WAITING, kind: 'appeal', subject: 'Appeal: my network is shared' }, ANSWERED]),
);

export const BadgeHolder: Story = {
  ...settings(({ sdk }) => sdk.api.on(supportEndpoints.mine, []), { user: sampleUser({ hasbadgeofhonor: true }) }),
  tags: ['w390'],
};

export const SupportTooShort: Story = {
  ...Everything,
  play: async ({ canvasElement }) => {
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Send' }));
    await within(canvasElement).findByText('At least 10 characters.');
  },
};

export const LongestWords: Story = {
  ...settings(
    ({ sdk }) =>
      sdk.api.on(supportEndpoints.mine, [
        { ...ANSWERED, subject: 'W'.repeat(120), text: `${'long '.repeat(60)}${'W'.repeat(200)}`, status: 'closed' },
      ]),
    { user: sampleUser({ username: 'w'.repeat(32), total_earned: 999_999_999.99 }) },
  ),
  tags: ['w320'],
};

export const ChoiceOfLanguage: Story = {
  ...Everything,
  play: async ({ canvasElement }) => {
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Language: English' }));
    await screen.findByRole('menuitem', { name: /Deutsch/ });
    await userEvent.keyboard('{ArrowDown}');
  },
  tags: ['w320'],
};

export const History: Story = {
  ...Everything,
  play: async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByRole('button', { name: 'View' }));
    await screen.findByText('Day 4 of the streak');
    // A day of the server, wherever this device is.
    await screen.findByText('21 Nov 2026');
  },
  tags: ['zones'],
};

export const DeleteAccount: Story = {
  ...Everything,
  play: async ({ canvasElement }) => {
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Delete account' }));
  },
};

export const SignOut: Story = storyIn(<SignOutDialog open onOpenChange={() => undefined} />);
