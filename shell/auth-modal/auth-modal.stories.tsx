import type { AuthErrorKey } from '@cord/contracts/texts';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { AuthModal } from './auth-modal';

const meta = { title: 'Shell/Connect Discord', parameters: { layout: 'fullscreen' } } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

function modal(enter: (shell: TestShell) => void): Story {
  return storyIn(<AuthModal />, enter, { user: null, referral: 'K7M2QX9D' });
}

const failed = (key: AuthErrorKey, description: string | null = null) =>
  modal((shell) => shell.connect.fail(key, description));

export const Idle: Story = modal((shell) => shell.connect.open());
export const SessionEndedElsewhere: Story = storyIn(
  <AuthModal />,
  (shell) => {
    shell.connect.open();
    shell.ended.set('signed-out');
  },
  { user: null },
);
export const Redirecting: Story = modal((shell) => void shell.connect.start());
export const Processing: Story = modal((shell) => shell.connect.processing());
export const CodeExpired: Story = failed('code_expired');
export const Unauthorized: Story = failed('unauthorized');
export const Forbidden: Story = failed('forbidden');
export const RedirectMismatch: Story = failed('redirect_mismatch');
export const InvalidClient: Story = failed('invalid_client');
export const GrantType: Story = failed('grant_type');
export const NetworkError: Story = failed('network');
export const Unreachable: Story = failed('unreachable');
export const DatabaseDown: Story = failed('database');
export const Denied: Story = failed('denied', 'The resource owner or authorization server denied the request');
export const StateMismatch: Story = failed('state');
export const InvalidUser: Story = failed('invalid_user');
export const StartFailed: Story = failed('start_failed');
