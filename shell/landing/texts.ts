/** The landing page's words (spec part 1: the three promises and what is said of the sign-in). */
export const LANDING_TEXTS = {
  howItWorks: 'How it works',
  connectShort: 'Connect',
  connect: 'Connect Discord',
  title: 'Your years on Discord, wound into CORD.',
  intro:
    'Run a simulated mining node, check in every day, complete tasks and climb the rankings. The older your account, the faster you earn: up to ×10.',
  call: 'Connect Discord & Start Mining',
  points: ['Secure OAuth', 'No password needed', 'Start earning instantly'],
  tiersTitle: 'Account age sets your rate',
  tiersIntro: 'Your Discord id holds the day it was created, so there is nothing to prove or enter.',
  promises: [
    {
      title: 'Mine CORD from account age',
      text: 'Start your node once. It runs on our side and keeps earning for up to 8 hours after you leave.',
    },
    {
      title: 'Complete daily challenges and social tasks',
      text: 'A check-in pays 50 CORD plus a streak bonus of up to 100. Tasks pay times your multiplier.',
    },
    {
      title: 'Climb rankings against miners worldwide',
      text: 'Daily, weekly, monthly and all-time boards. Invite friends and earn 10% of what they make.',
    },
  ],
  footer:
    'CORD is a virtual currency used inside this app. Mining is simulated on our servers and does not use your device’s hardware. We ask Discord for your public profile only.',
} as const;
