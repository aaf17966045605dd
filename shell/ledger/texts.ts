import { defineTexts, params } from '@cord/sdk';

/** Every text of the ledger: the dialog, and the entries behind a number. */
export const LEDGER_TEXTS = defineTexts('ledger', {
  title: 'Ledger',
  intro: 'Every CORD that came to your balance, newest first.',
  balance: 'Balance',
  open: 'Mined, not an entry yet',
  openHelp: 'Mining becomes one entry when the hour turns, your node stops or your rate changes.',
  amount: params('{amount} CORD'),
  loading: 'Loading the ledger',
  failed: 'Your ledger could not be loaded',
  emptyTitle: 'No entries yet',
  emptyText: 'Start your node or check in: each credit stands here with its reason.',
  more: 'Show earlier entries',
  moreBusy: 'Loading',
  moreFailed: 'Earlier entries could not be loaded. Please try again.',
  all: 'That is all: the first entry of your account is here.',
  note: params('{source}, {time}'),
  after: params('{amount} after'),

  latest: 'Entries behind it',
  latestNone: 'No entry yet.',
  latestFailed: 'The entries could not be loaded.',
  openLedger: 'Open the ledger',

  'sources.mining': 'Mining',
  'sources.welcome': 'Welcome',
  'sources.task': 'Task',
  'sources.checkin': 'Daily check-in',
  'sources.commission': 'Commission',
  'sources.refbonus': 'Referral bonus',
  'sources.refwelcome': 'Invited by a friend',
  'sources.compensation': 'Compensation',
  'sources.cordclaim': 'Special reward',
  'sources.other': 'Credit',
});
