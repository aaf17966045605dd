import type { AuthErrorKey } from '@cord/contracts/texts';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { AuthModal } from './auth-modal';

export default { title: 'Shell/Connect Discord', parameters: { layout: 'fullscreen' } };

function modal(enter: (shell: TestShell) => void): StoryObj {
  return storyIn(<AuthModal />, enter, { user: null, referral: 'K7M2QX9D' });
}

const failed = (key: AuthErrorKey, description: string | null = null) =>
  modal((shell) => shell.connect.fail(key, description));

export const Idle: StoryObj = modal((shell) => shell.connect.open());
export const SessionEndedElsewhere: StoryObj = storyIn(
  <AuthModal />,
  (shell) => {
    shell.connect.open();
    shell.ended.set('signed-out');
  },
  { user: null },
);
export const Redirecting: StoryObj = modal((shell) => void shell.connect.start());
export const Processing: StoryObj = modal((shell) => shell.connect.processing());
export const CodeExpired: StoryObj = failed('code_expired');
export const Unauthorized: StoryObj = failed('unauthorized');
export const Forbidden: StoryObj = failed('forbidden');
export const RedirectMismatch: StoryObj = failed('redirect_mismatch');
export const InvalidClient: StoryObj = failed('invalid_client');
export const GrantType: StoryObj = failed('grant_type');
export const NetworkError: StoryObj = failed('network');
export const Unreachable: StoryObj = failed('unreachable');
export const DatabaseDown: StoryObj = failed('database');
export const Denied: StoryObj = failed('denied', 'The resource owner or authorization server denied the request');
export const StateMismatch: StoryObj = failed('state');
export const InvalidUser: StoryObj = failed('invalid_user');
export const StartFailed: StoryObj = failed('start_failed');
