import { defineTexts, params } from '@cord/sdk';

/** What is said as somebody signs out; the toast by spec part 8. */
export const SIGN_OUT_TEXTS = defineTexts('sign-out', {
  signOutTitle: 'Sign out of CORD?',
  signOutText: 'Your node keeps earning for up to 8 hours. You can stop it first on the Mining tab.',
  signOut: 'Sign Out',
  signingOut: 'Signing out',
  signedOutHere: 'Signed out on this page only',
  signedOutHereText: params('The server did not confirm it: {reason}'),
});
