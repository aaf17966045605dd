import { at, problem, sampleUser } from '@cord/sdk/testing';
import { screen, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { SignOutDialog } from '../session/sign-out-dialog';
import { ANSWERED, LEVEL_1, storyIn, WAITING } from '../testing/story-shell';
import type { TestShell, TestShellOptions } from '../testing/test-shell';
import { Settings } from './settings';

export default { title: 'Shell/Settings' };

const settings = (change?: (shell: TestShell) => void, options?: TestShellOptions): StoryObj =>
  storyIn(<Settings />, change, options);

export const Everything: StoryObj = settings();

export const NotLoaded: StoryObj = settings(({ sdk }) =>
  sdk.api
    .fail(at.users.getSettings, problem(503, 'Failed to get user settings'))
    .fail(at.auth.sessions, problem(503, 'down'))
    .fail(at.support.anticheat, problem(503, 'down'))
    .fail(at.support.mine, problem(503, 'down')),
);

export const FlaggedMayAppeal: StoryObj = {
  ...settings(({ sdk }) => sdk.api.on(at.support.anticheat, LEVEL_1)),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Appeal' }));
    await screen.findByRole('dialog', { name: 'Appeal the network check' });
  },
};

export const AppealWaits: StoryObj = settings(({ sdk }) =>
  sdk.api
    .on(at.support.anticheat, LEVEL_1)
    .on(at.support.mine, [{ ...WAITING, kind: 'appeal', subject: 'Appeal: my network is shared' }, ANSWERED]),
);

export const BadgeHolder: StoryObj = {
  ...settings(({ sdk }) => sdk.api.on(at.support.mine, []), { user: sampleUser({ hasbadgeofhonor: true }) }),
  tags: ['w390'],
};

export const SupportTooShort: StoryObj = {
  ...Everything,
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }));
    await canvas.findByText('At least 10 characters.');
  },
};

export const LongestWords: StoryObj = {
  ...settings(
    ({ sdk }) =>
      sdk.api.on(at.support.mine, [
        { ...ANSWERED, subject: 'W'.repeat(120), text: `${'long '.repeat(60)}${'W'.repeat(200)}`, status: 'closed' },
      ]),
    { user: sampleUser({ username: 'w'.repeat(32), total_earned: 999_999_999.99 }) },
  ),
  tags: ['w320'],
};

export const ChoiceOfLanguage: StoryObj = {
  ...Everything,
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Language: English' }));
    await screen.findByRole('menuitem', { name: /Deutsch/ });
    await userEvent.keyboard('{ArrowDown}');
  },
  tags: ['w320'],
};

export const History: StoryObj = {
  ...Everything,
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'View' }));
    await screen.findByText('Day 4 of the streak');
    // A day of the server, in every time zone.
    await screen.findByText('21 Nov 2026');
  },
  tags: ['zones'],
};

export const DeleteAccount: StoryObj = {
  ...Everything,
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Delete account' }));
  },
};

export const SignOut: StoryObj = storyIn(<SignOutDialog open onOpenChange={() => undefined} />);
