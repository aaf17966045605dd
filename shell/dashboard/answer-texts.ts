import { defineTexts, params } from '@cord/sdk';

/** What "Why this number?" answers on the dashboard. */
export const ANSWER_TEXTS = defineTexts('dashboard-answers', {
  whyBalance: 'Every entry of your ledger added up, and what your node has mined since.',
  whyKnown: params('As the server said at {time}'),
  whySince: 'Mined since then',
  whyToday: 'Mining, tasks, check-ins and commission since 00:00 UTC.',
  whyWeek: 'Mining, tasks, check-ins and commission since Monday, 00:00 UTC.',
  whyMonth: 'Mining, tasks, check-ins and commission since the 1st of the month, 00:00 UTC.',
  whyRank: 'Your place among all miners by what you have earned in all. Ties go to whoever got there first.',
  whyEarned: 'Total earned',
  whyMiners: 'Miners in all',
  whyActive: 'Nodes running now: started, and visited within the last 8 hours.',
  whyOnline: 'On the site in the last 5 minutes',
  whyAccountAge:
    'Years of 365.25 days since your Discord account was made, cut to one decimal. Your Discord id holds that day.',
  whyTier: 'Multiplier at this age',
  whyBadgeStatus: 'The Badge of Honor adds 5% to your rate. It is yours once its payment is proven on chain.',
  whyEpochFactor: 'Set by the epoch in force, the same for everybody. It is in your rate once.',
  whyFrom: 'Since',
  whyUntil: 'Until',

  whyBase: 'Base rate',
  whyAge: params('Account age, {age}'),
  whyEpoch: 'Epoch',
  whyBadge: 'Badge of Honor',
  whyNoBadge: 'Badge of Honor, not owned',
  whyClean: 'Network check: Clean',
  whyShared: 'Network check: shared address',
  whyTotal: 'Your rate',
});
