/** Texts that services send to users. */
export const TEXTS = {
  ownCode: 'You cannot refer yourself. Please use a different referral code.',
  referralInput: 'Invalid user ID or referral code',
  referralFailed: 'Failed to process referral. Please try again.',
  taskNotFound: 'Task not found',
  taskAlreadyCompleted: 'This task has already been completed',
  taskNotComplete: 'This task is not complete yet',
  claimFailed: 'Failed to claim CORDs',
  compensationFailed: 'Failed to claim compensation',
  checkinFailed: 'Failed to perform check-in',
  purchaseRecordFailed: 'Failed to create badge purchase record',
  userNotFound: 'User not found',
  invalidState:
    'Invalid OAuth state. This could be due to an expired session or security issue. Please try connecting again.',
  invalidUser: 'Invalid user data',
  codeExpired: 'Authorization code expired. Please try connecting again.',
  authenticationFailed: 'Authentication failed. Please check your Discord permissions.',
  accessDenied: 'Access denied. Please ensure you have the necessary permissions.',
  redirectMismatch: 'Configuration error. Please contact support.',
  invalidClient: 'Discord application configuration error. Please contact support.',
  unsupportedGrant: 'OAuth configuration error. Please try again.',
  network: 'Network error. Please check your internet connection and try again.',
  unreachable: 'Network connection failed. Please check your internet and try again.',
  database: 'Database connection issue. Please try again in a moment.',
  startFailed: 'Failed to initiate Discord login.',
} as const;

/** Name shown for a user who deleted the account (services/README.md#erasure). */
export const DELETED_NAME = 'Deleted user';

/** Text for Discord's own refusal at the authorize page. */
export function authorizationFailed(description: string): string {
  return `Discord authorization failed: ${description}.`;
}

/** KEY of `/?auth_error=KEY` (services/auth/README.md#a-sign-in). */
export const AUTH_ERROR_KEYS = [
  'code_expired',
  'unauthorized',
  'forbidden',
  'redirect_mismatch',
  'invalid_client',
  'grant_type',
  'network',
  'unreachable',
  'database',
  'denied',
  'state',
  'invalid_user',
  'start_failed',
  'signups_off',
  'returns_limited',
  'sign_ins_limited',
  'second_factor',
] as const;
export type AuthErrorKey = (typeof AUTH_ERROR_KEYS)[number];

/** The dialog's text for each KEY; `denied` uses Discord's own description. */
export const AUTH_ERROR_TEXTS: Readonly<Record<Exclude<AuthErrorKey, 'denied'>, string>> = {
  code_expired: TEXTS.codeExpired,
  unauthorized: TEXTS.authenticationFailed,
  forbidden: TEXTS.accessDenied,
  redirect_mismatch: TEXTS.redirectMismatch,
  invalid_client: TEXTS.invalidClient,
  grant_type: TEXTS.unsupportedGrant,
  network: TEXTS.network,
  unreachable: TEXTS.unreachable,
  database: TEXTS.database,
  state: TEXTS.invalidState,
  invalid_user: TEXTS.invalidUser,
  start_failed: TEXTS.startFailed,
  // An operator has switched sign-ups off (switches.ts).
  signups_off: 'New accounts are paused. Please come back later',
  // A person has erased accounts too often (services/auth, Erasure and return).
  returns_limited:
    'You have deleted your account three times within 30 days. You can join again 30 days after the last time',
  // Each session that ends is kept for a week (services/auth, SIGN_INS_A_DAY).
  sign_ins_limited: 'You have signed in too often. Please try again in 24 hours',
  // An operator's account must have it (services/auth, ADMIN_DISCORD_IDS).
  second_factor:
    'Operators need two-factor authentication on Discord. Turn it on there, then sign in again. If another operator gave you the role, they must give it again',
};
