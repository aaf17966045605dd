import { AUTH_ERROR_KEYS } from '@cord/contracts/texts';
import { describe, expect, it } from 'vitest';
import { connectError } from './texts';

/** The exact texts of the modal. */
const EXPECTED: Record<
  Exclude<(typeof AUTH_ERROR_KEYS)[number], 'signups_off' | 'returns_limited' | 'sign_ins_limited' | 'second_factor'>,
  string
> = {
  code_expired: 'Authorization code expired. Please try connecting again.',
  unauthorized: 'Authentication failed. Please check your Discord permissions.',
  forbidden: 'Access denied. Please ensure you have the necessary permissions.',
  redirect_mismatch: 'Configuration error. Please contact support.',
  invalid_client: 'Discord application configuration error. Please contact support.',
  grant_type: 'OAuth configuration error. Please try again.',
  network: 'Network error. Please check your internet connection and try again.',
  unreachable: 'Network connection failed. Please check your internet and try again.',
  database: 'Database connection issue. Please try again in a moment.',
  denied: 'Discord authorization failed: The user said no.',
  state: 'Invalid OAuth state. This could be due to an expired session or security issue. Please try connecting again.',
  invalid_user: 'Invalid user data',
  start_failed: 'Failed to initiate Discord login.',
};

describe('a failed sign-in', () => {
  it.each(Object.keys(EXPECTED) as (keyof typeof EXPECTED)[])('%s has its text', (key) => {
    expect(connectError(key, 'The user said no')).toBe(`Failed to connect to Discord: ${EXPECTED[key]}`);
  });

  it.each([
    ['signups_off', /^New accounts are paused\. Please come back later$/],
    ['returns_limited', /^You have deleted your account three times within 30 days\. /],
    ['sign_ins_limited', /^You have signed in too often\. /],
    ['second_factor', /^Operators need two-factor authentication on Discord\. /],
  ] as const)('%s shows what to do, without the prefix of Discord failures', (key, text) => {
    expect(connectError(key, null)).toMatch(text);
    expect(AUTH_ERROR_KEYS).toHaveLength(Object.keys(EXPECTED).length + 4);
  });

  it('uses Discord’s own description of a refusal, with one full stop', () => {
    expect(connectError('denied', 'The user said no.')).toBe(
      'Failed to connect to Discord: Discord authorization failed: The user said no.',
    );
  });

  it('shows an unknown key as a failed start, never the raw key', () => {
    expect(connectError('toString', null)).toBe('Failed to connect to Discord: Failed to initiate Discord login.');
    expect(connectError('<b>x</b>', null)).not.toContain('<b>');
  });
});
