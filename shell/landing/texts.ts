import { defineTexts, params, plural } from '@cord/sdk';

/** Texts of the landing page: the three promises and the sign-in. */
export const LANDING_TEXTS = defineTexts('landing', {
  pageNav: 'Page',
  howItWorks: 'How it works',
  connectShort: 'Connect',
  connect: 'Connect Discord',
  linkToMiner: 'Sign in to see this miner’s profile',
  linkToPage: 'Sign in to open this page',
  linkText: 'You will be taken straight there.',
  title: 'Your years on Discord, wound into CORD.',
  intro: params(
    'Run a simulated mining node, check in every day, complete tasks and climb the rankings. The older your account, the faster you earn: up to {multiplier}.',
  ),
  call: 'Connect Discord & Start Mining',
  pointOauth: 'Secure OAuth',
  pointPassword: 'No password needed',
  pointInstant: 'Start earning instantly',
  exampleAccount: params('{years}-year account'),
  perMinute: 'CORD per minute',
  exampleTurn: params('One full turn is 1 CORD. This one takes {seconds} seconds.'),

  tiersTitle: 'Account age sets your rate',
  tiersIntro: 'Your Discord ID contains the date your account was created, so there is nothing to prove or enter.',
  accountAge: 'Account age',
  multiplier: 'Multiplier',
  rate: 'CORD / min',
  tierFirst: 'under 1 year',
  tier: plural({ one: '1 year', other: '{count} years' }),
  tierLast: params('{years} years or more'),
  recomputed: 'Recomputed',
  continuously: 'continuously',
  epochUntil: params('{epoch}, until {day}'),
  badge: 'Badge of Honor',

  promisesLabel: 'What you can do',
  promiseMine: 'Mine CORD from account age',
  promiseMineText: 'Start your node once. It runs on our servers and keeps earning for up to 8 hours after you leave.',
  promiseTasks: 'Complete daily challenges and social tasks',
  promiseTasksText: params(
    'A check-in pays {reward} CORD plus a streak bonus of up to {bonus}. Task rewards grow with your multiplier.',
  ),
  promiseRankings: 'Climb rankings against miners worldwide',
  promiseRankingsText: 'Daily, weekly, monthly and all-time boards. Invite friends and earn 10% of what they make.',

  figuresLabel: 'Live figures',
  miners: 'Miners',
  mined: 'CORD mined',
  onlineNow: 'Online now',
  countedAt: params('Counted from live data at {time} UTC.'),
  counting: 'Counting...',
  notCounted: 'The live figures are not available at the moment.',

  rules: 'Rules',
  footer:
    'CORD is a virtual currency used inside this app. Mining is simulated on our servers and does not use your device’s hardware. We ask Discord for your public profile only.',
});
