import { defineTexts } from '@cord/sdk';

/** Texts of the notice settings (the visual language of the next screens, Notifications). */
export const NOTICE_CHOICE_TEXTS = defineTexts('settings-notices', {
  title: 'Notifications',
  text: 'Push notifications also appear in the app. If off, you are not notified; your ledger and Support still have it.',
  pushes: 'Push notifications',
  pushesHelp: 'When off, nothing is pushed to any of your devices. The choices below stay as they are.',
  failed: 'Your notification settings could not be loaded',
  app: 'In app',
  push: 'Push',
  off: 'Off',

  paused: 'Node pauses',
  pausedHelp: 'One hour before it pauses (with an Extend button), and when it has paused.',
  streak: 'Streak closes',
  streakHelp: 'At 22:00 UTC if today is still open.',
  friend: 'A friend joined',
  friendHelp: 'With your code.',
  commission: 'Commission of the day',
  commissionHelp: 'Once a day, just after 00:00 UTC. Nothing when it is 0.',
  payment: 'Payment confirmed or refunded',
  paymentHelp: 'When it is final on the network.',
  support: 'Support and appeals',
  supportHelp: 'When we have replied to you.',
  epoch: 'Epoch begins',
  epochHelp: 'A day before it begins, and when it begins.',
  rank: 'Your rank',
  rankHelp: 'Once a day, when you moved up or were overtaken.',
  signIn: 'New device',
  signInHelp: 'When someone signs in to your account on a new device.',

  key: 'Open with N',
  keyHelp: 'The N key opens your notifications on this device.',
});
