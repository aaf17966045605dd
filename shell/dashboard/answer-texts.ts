import { defineTexts, params } from '@cord/sdk';

/** Answers to "Why this number?" on the dashboard. */
export const ANSWER_TEXTS = defineTexts('dashboard-answers', {
  whyBalance: 'All your ledger entries added up, plus what your node has mined since.',
  whyKnown: params('As of {time}'),
  whySince: 'Mined since then',
  whyToday: 'Mining, tasks, check-ins and commission since 00:00 UTC.',
  whyWeek: 'Mining, tasks, check-ins and commission since Monday, 00:00 UTC.',
  whyMonth: 'Mining, tasks, check-ins and commission since the 1st of the month, 00:00 UTC.',
  whyRank: 'Your place among all miners by total CORD earned. Ties go to whoever got there first.',
  whyEarned: 'Total earned',
  whyMiners: 'All miners',
  whyActive: 'Nodes running now: started, with a visit in the last 8 hours.',
  whyOnline: 'On the site in the last 5 minutes',
  whyAccountAge:
    'Years of 365.25 days since your Discord account was created, cut to one decimal. The date comes from your Discord ID.',
  whyTier: 'Multiplier at this age',
  whyBadgeStatus: params(
    'The Badge of Honor adds {percent} to your rate. It is yours once its payment is confirmed on chain.',
  ),
  whyEpochFactor: 'Set by the current epoch and the same for everyone. Your rate already includes it.',
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
