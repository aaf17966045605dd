import { defineTexts, params } from '@cord/sdk';

/** What is said of a session wherever it is said; toasts by spec part 8. */
export const SESSION_TEXTS = defineTexts('session', {
  epoch: params('Epoch {name}'),

  checkinTitle: 'Your check-in is due',
  checkinText: 'A check-in today keeps your streak.',

  signOutTitle: 'Sign out of CORD?',
  signOutText: 'Your node keeps earning for up to 8 hours. You can stop it first on the Mining tab.',
  signOut: 'Sign Out',
  signingOut: 'Signing out',
  signedOutHere: 'Signed out on this page only',
  signedOutHereText: params('The server could not be told: {reason}'),
});
