import { AUTH_ERROR_TEXTS, type AuthErrorKey } from '@cord/contracts/texts';
import { defineTexts, params } from '@cord/sdk';

/** Texts of the Connect Discord modal. */
export const CONNECT_TEXTS = defineTexts('connect', {
  title: 'Connect Discord',
  subtitle: 'Sign in to start earning',
  idle: 'Discord will ask you to confirm. You will be brought back here.',
  connect: 'Continue to Discord',
  codeAlong: params('Your friend’s code {code} is added to your new account.'),
  redirecting: 'Redirecting to Discord...',
  processing: 'Signing you in...',
  success: 'Connected. Welcome to CORD.',
  failed: params('Failed to connect to Discord: {reason}'),
  authorizationFailed: params('Discord authorization failed: {description}.'),
  /** For `denied` without a description from Discord. */
  deniedDefault: 'The resource owner denied the request',
  nothingChanged: 'Nothing was changed.',
  keptCode: params('Nothing was changed. Your friend’s code {code} is kept for the next try.'),
  tryAgain: 'Try again',
  openManually: 'Open manually',
  debugInfo: 'Debug info',
  copy: 'Copy',
  copied: 'Copied',
  stepsTitle: 'If it keeps failing',
  scope: 'We read your Discord name, avatar and account date. No messages, no servers, no password.',
});

/** The eight troubleshooting steps. */
export const TROUBLESHOOTING = defineTexts('troubleshooting', {
  popups: 'Allow pop-ups and redirects for this site.',
  cookies: 'Allow cookies for this site: sign-in needs one that lasts 10 minutes.',
  blockers: 'Turn off ad or privacy blockers on this page.',
  hurry: 'Finish within 10 minutes, or the request expires.',
  oneTab: 'Use one sign-in tab at a time. A second attempt replaces the first.',
  network: 'Check that discord.com opens on this network.',
  clock: 'Check that this device’s clock is right.',
  otherBrowser: 'Try a private window or another browser.',
});

/** Reasons of a failed sign-in, by the key in the address. */
const REASONS = defineTexts('connect-reasons', { ...AUTH_ERROR_TEXTS });

/** Returns the whole message for a failed sign-in. An unknown key counts as a failed start. */
export function connectError(key: string, description: string | null): string {
  const t = CONNECT_TEXTS.get();
  if (key === 'signups_off' || key === 'returns_limited' || key === 'sign_ins_limited' || key === 'second_factor')
    return REASONS.get()[key];
  if (key !== 'denied') return t.failed({ reason: REASONS.get()[isKnown(key) ? key : 'start_failed'] });
  const plain = (description ?? t.deniedDefault).replace(/\.$/, '');
  return t.failed({ reason: t.authorizationFailed({ description: plain }) });
}

function isKnown(key: string): key is Exclude<AuthErrorKey, 'denied'> {
  return Object.hasOwn(AUTH_ERROR_TEXTS, key);
}
