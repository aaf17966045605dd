import { defineTexts, params, plural } from '@cord/sdk';

/** Texts of the dashboard's own areas; the modules' cards have their own. */
export const DASHBOARD_TEXTS = defineTexts('dashboard', {
  /** Names of the areas, for their error messages. */
  welcomeName: 'Your greeting',
  figures: 'Your figures',
  cards: 'Your cards',

  welcome: params('Welcome, {name}'),
  welcomeBack: params('Welcome back, {name}'),
  unranked: 'Unranked',
  rankIs: params('Rank {rank}'),
  moment: params('{weekday} {day}, {time}'),

  balance: 'Balance',
  spokenBalance: params('{amount} CORD'),
  today: 'earned today, not counting claims',
  thisWeek: 'This week',
  thisMonth: 'This month',
  rank: 'Rank',
  ofMiners: params('of {miners}'),
  activeMiners: 'Active miners',

  miningRate: 'Mining rate',
  perMinute: 'CORD per minute',
  multiplier: 'Multiplier',
  fromAge: 'from account age',
  accountAge: 'Account age',
  nextTier: plural({ one: '{factor} in 1 year', other: '{factor} in {years} years' }),
  highestTier: 'the highest tier',
  badgeStatus: 'Badge status',
  badgeOwned: 'Honor',
  badgeOwnedHint: params('adds {percent}'),
  badgeNone: 'None',
  badgeNoneHint: params('Honor adds {percent}'),

  epoch: 'Current epoch',
  epochRate: 'Your rate, epoch included',
  rateUnit: 'CORD/min',
  timeRemaining: 'Time remaining',
  days: 'd',
  hours: 'h',
  minutes: 'm',
  spokenDays: plural({ one: '1 day', other: '{count} days' }),
  spokenHours: plural({ one: '1 hour', other: '{count} hours' }),
  spokenMinutes: plural({ one: '1 minute', other: '{count} minutes' }),

  openLedger: 'Ledger',
  epochFactor: 'Epoch multiplier',

  answerMissing: 'The answer could not be loaded',
});
