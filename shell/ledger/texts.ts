import type { Source } from '@cord/contracts/events/balance';
import { defineTexts, params } from '@cord/sdk';

/** Texts of the ledger: the dialog, and the entries behind a number. */
export const LEDGER_TEXTS = defineTexts('ledger', {
  title: 'Ledger',
  intro: 'Every CORD that came to your balance, newest first.',
  balance: 'Balance',
  open: 'Not yet in the ledger',
  openHelp: 'Earnings are written down every hour, and when your node stops or its rate changes.',
  amount: params('{amount} CORD'),
  loading: 'Loading the ledger',
  failed: 'Your ledger could not be loaded',
  emptyTitle: 'No entries yet',
  emptyText: 'Start your node or check in. Every credit will be listed here.',
  more: 'Show earlier entries',
  moreBusy: 'Loading',
  moreFailed: 'Earlier entries could not be loaded. Please try again.',
  all: 'These are all entries since you joined.',
  note: params('{source}, {time}'),
  after: params('{amount} after'),
  /** For an entry that was credited after one shown below it, so its balance would be out of order. */
  creditedLater: 'credited later',

  latest: 'The entries behind it',
  latestNone: 'No entries yet.',
  latestNoneOf: params('None among the latest {count} entries.'),
  latestFailed: 'The entries could not be loaded.',
  openLedger: 'Open the ledger',
  check: 'Check your ledger',

  'sources.mining': 'Mining',
  'sources.welcome': 'Welcome',
  'sources.task': 'Task',
  'sources.checkin': 'Daily check-in',
  'sources.commission': 'Commission',
  'sources.refbonus': 'Invited by a friend',
  'sources.refwelcome': 'Referral bonus',
  'sources.compensation': 'Compensation',
  'sources.cordclaim': 'Special reward',
  'sources.correction': 'Correction',
  'sources.other': 'Credit',
} satisfies Record<`sources.${Source}`, unknown> & Record<string, unknown>);
