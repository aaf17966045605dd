import { defineTexts } from '@cord/sdk';

/** What is told, and where (the visual language of the next screens, Notifications). */
export const NOTICE_CHOICE_TEXTS = defineTexts('settings-notices', {
  title: 'Notifications',
  text: 'Push also shows in the app. Off means nowhere; the fact itself stays in your ledger or in Support.',
  failed: 'Your notification settings could not be loaded',
  app: 'In app',
  push: 'Push',
  off: 'Off',

  paused: 'Node pauses',
  pausedHelp: 'One hour before, with Extend, and when it has paused.',
  streak: 'Streak closes',
  streakHelp: 'At 22:00 UTC if today is still open.',
  friend: 'A friend joined',
  friendHelp: 'With your code.',
  commission: 'Commission of the day',
  commissionHelp: 'Once a day, just after 00:00 UTC. Nothing when it is 0.',
  payment: 'Payment proven or refunded',
  paymentHelp: 'When the network has made it final.',
  support: 'Support and appeals',
  supportHelp: 'When a person has answered you.',
  epoch: 'Epoch begins',
  epochHelp: 'A day before and when it begins.',
  rank: 'Your rank',
  rankHelp: 'Once a day, when you rose or were passed.',
  signIn: 'New device',
  signInHelp: 'When somebody signs in to your account on a device that is new to it.',

  key: 'Open with N',
  keyHelp: 'The N key opens your notifications on this device.',
});
