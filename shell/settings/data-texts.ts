import { defineTexts } from '@cord/sdk';

/** Texts of data management: stored data, retention, export, clearing this device. */
export const DATA_TEXTS = defineTexts('settings.data', {
  title: 'Data management',
  intro: 'What we keep, and for how long. Export, above, includes all of it.',

  held: 'What we hold',
  'what.profile': 'Discord ID, name, picture, settings',
  'until.profile': 'until you delete your account',
  'what.sessions': 'Sign-in sessions',
  'until.sessions': '7 days each, and 30 more days once they have ended',
  'what.activity': 'Node sessions, check-ins, tasks and friends',
  'until.activity': 'until you delete your account',
  'what.ledger': 'Ledger entries',
  'until.ledger': 'permanently; after a deletion, under a random ID and without your name',
  'what.network': 'Network record: a keyed hash of your address',
  'until.network': '30 days',
  'what.wallet': 'Wallet address of a badge purchase',
  'until.wallet': 'until you delete your account',
  'what.notices': 'Notifications',
  'until.notices': '30 days',
  'what.devices': 'Browsers that get push notifications',
  'until.devices': 'until you remove them, or their sign-in ends',
  'what.support': 'Support requests and answers',
  'until.support': 'until you delete your account',
  'what.tombstone': 'A one-way mark of a deleted account',
  'until.tombstone': 'permanently, only to prevent claiming one-time rewards twice',

  device: 'This device',
  deviceHelp:
    'Removes theme, motion setting, a saved friend’s code and offline data. You stay signed in, and a pending payment is kept. Push notifications to this device stay on.',
  clear: 'Clear this device',
  cleared: 'This device is cleared',
  clearedText: 'Theme and motion are back to their defaults.',
});
