import { defineTexts, params } from '@cord/sdk';

/** What is said of a session wherever it is said; toasts by spec part 8. */
export const SESSION_TEXTS = defineTexts('session', {
  epoch: params('Epoch {name}'),

  nodeStarted: 'Mining Node Started!',
  nodeStartedText: params('Earning {rate} CORD/min'),
  nodeStartFailed: 'Failed to Start Node',
  unknownError: 'Unknown error',

  /** Said to screen readers once, on a change (look.md, Speech). */
  nodeOnline: 'Node is online.',
  nodePaused: 'Node is paused.',
  nodeOffline: 'Node is offline.',

  pausedTitle: 'Your node has paused',
  pausedText: 'It ran for 8 hours without a visit. Start it again to go on.',
  checkinTitle: 'Your check-in is due',
  checkinText: 'A check-in today keeps your streak.',

  signOutTitle: 'Sign out of CORD?',
  signOutText: 'Your node keeps earning for up to 8 hours. You can stop it first on the Mining tab.',
  signOut: 'Sign Out',
  signingOut: 'Signing out',
  signedOutHere: 'Signed out on this page only',
  signedOutHereText: params('The server could not be told: {reason}'),
});
