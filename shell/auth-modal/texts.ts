import { AUTH_ERROR_TEXTS, type AuthErrorKey, authorizationFailed } from '@cord/contracts/texts';

/** Everything the Connect Discord modal says. */
export const CONNECT_TEXTS = {
  title: 'Connect Discord',
  subtitle: 'Sign in to start earning',
  idle: 'Discord will ask you to confirm. You come back here by yourself.',
  connect: 'Continue to Discord',
  redirecting: 'Redirecting to Discord...',
  processing: 'Signing you in...',
  success: 'Connected. Welcome to CORD.',
  failedPrefix: 'Failed to connect to Discord: ',
  nothingChanged: 'Nothing was changed.',
  keptCode: (code: string) => `Nothing was changed. Your friend’s code ${code} is kept for the next try.`,
  tryAgain: 'Try again',
  openManually: 'Open manually',
  debugInfo: 'Debug info',
  stepsTitle: 'If it keeps failing',
  scope: 'We read your Discord name, avatar and account date. No messages, no servers, no password.',
  signedOut: 'You are signed out. Your node and balance are not affected.',
} as const;

/** The eight troubleshooting steps (decisions, Interface). */
export const TROUBLESHOOTING = [
  'Allow pop-ups and redirects for this site.',
  'Allow cookies for this site: sign-in needs one that lasts 10 minutes.',
  'Turn off ad or privacy blockers on this page.',
  'Finish within 10 minutes, then the request expires.',
  'Use one sign-in tab at a time. A second attempt replaces the first.',
  'Check that discord.com opens on this network.',
  'Check that the clock of this device is right.',
  'Try a private window or another browser.',
] as const;

/** Shown for `denied` when Discord gave no description of its own. */
const DENIED_DEFAULT = 'The resource owner denied the request';

/** The whole message for a failed sign-in (spec part 8). A KEY that we do not know is a failed start. */
export function connectError(key: string, description: string | null): string {
  if (key === 'denied') {
    return `${CONNECT_TEXTS.failedPrefix}${authorizationFailed((description ?? DENIED_DEFAULT).replace(/\.$/, ''))}`;
  }
  return `${CONNECT_TEXTS.failedPrefix}${isKnown(key) ? AUTH_ERROR_TEXTS[key] : AUTH_ERROR_TEXTS.start_failed}`;
}

function isKnown(key: string): key is Exclude<AuthErrorKey, 'denied'> {
  return Object.hasOwn(AUTH_ERROR_TEXTS, key);
}
