import { defineTexts, params } from '@cord/sdk';

/** Texts of the end of a session, by `Ended` of app/create-shell.ts. */
export const ENDED_TEXTS = defineTexts('ended', {
  'signed-out': 'You are signed out. Your node and balance are not affected.',
  erased: 'Your account has been deleted. Your profile and balance are gone.',
  signedOutHere: 'Signed out on this page only',
  signedOutHereText: params('The server did not confirm it: {reason}'),
});
