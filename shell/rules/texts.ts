import { defineTexts, params } from '@cord/sdk';

/** Texts of the page "Rules". */
export const RULES_TEXTS = defineTexts('rules', {
  title: 'Rules',
  back: 'Back',
  home: 'CORD home',
  intro:
    'These numbers decide what earns CORD, and how much. A change is announced at least 72 hours before it takes effect. A shorter notice needs a reason, which is shown here.',
  loading: 'Loading the rules',
  failed: 'The rules could not be loaded',
  failedText: 'Your node and balance are not affected.',

  ahead: params('The rules change on {when}'),
  announced: params('Announced on {when}.'),
  sooner: params('Less than 72 hours’ notice, because: {reason}'),
  yourRate: 'Your mining rate',
  yourRateText: params('{rate} CORD/min before, {next} CORD/min from {when} on.'),
  yourRateSame: params('It stays at {rate} CORD/min.'),

  mining: 'Mining',
  base: 'Base rate',
  perMinute: params('{amount} CORD/min'),
  badge: 'With the Badge of Honor',
  epochNow: params('{name}, now'),
  accountAge: 'Discord account age',
  multiplier: 'Multiplier',
  rate: 'CORD/min',
  tierFirst: 'Under 1 year',
  tier: params('From {years} years'),
  tierOne: 'From 1 year',
  tiersNote: 'Rate with the multiplier alone, without badge, epoch or network check.',

  others: 'Check-ins, tasks, referrals',
  checkin: 'Daily check-in',
  streakStep: 'Streak bonus for each day',
  streakMost: 'Streak bonus, at most',
  commission: 'Commission on what friends earn, for life',
  taskMost: 'Base reward of a task, at most',
  task: 'Task reward',
  taskText: 'Base reward × multiplier',
  cord: params('{amount} CORD'),

  epochs: 'Epochs',
  epoch: 'Epoch',
  span: 'From – until',
  epochsNote: 'Times are in UTC. An epoch that is running keeps its multiplier.',

  history: 'History',
  first: 'The first rules',
  firstText: 'They have been in force from the start.',
  version: params('Rules {version}, from {when}'),
  inForce: 'In force',
  announcedBadge: 'Announced',
  change: params('{what}: {before} before, {after} after'),
  changeTier: params('Multiplier: {tier}'),
  none: 'no step',
  pinned:
    'The record of each day holds a hash of all rules up to that day, so that a rule cannot be rewritten afterwards. “Check your ledger” in Settings shows the record.',
});
