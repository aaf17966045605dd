import { defineTexts } from '@cord/sdk';

/** Texts of the sign-out. */
export const SIGN_OUT_TEXTS = defineTexts('sign-out', {
  signOutTitle: 'Sign out of CORD?',
  signOutText: 'Your node keeps earning for up to 8 hours. You can stop it first on the Mining tab.',
  signOut: 'Sign Out',
  signingOut: 'Signing out',
});
