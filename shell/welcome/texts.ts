/** What the welcome popup says (look/08). */
export const WELCOME_TEXTS = {
  newBadge: 'New miner',
  backBadge: 'Welcome back',
  newTitle: (name: string) => `Welcome, ${name}`,
  backTitle: (name: string) => `Good to see you, ${name}`,
  newText: (age: string, multiplier: string) => `Your account is ${age} old, so your rate counts ${multiplier}.`,
  nodeRuns: 'Your node is online and earning.',
  nodePaused: (time: string) => `Your node earned until ${time}, then paused: 8 hours without a visit.`,
  nodeIdle: 'Your node is offline.',
  welcomeCredit: 'Welcome credit',
  invited: (referrer: string | null) =>
    referrer === null ? 'Invited by a friend, +10%' : `Invited by ${referrer}, +10%`,
  added: 'Added to your balance',
  onItsWay: 'On its way',
  today: 'Earned today',
  rank: 'Rank',
  balance: 'Balance',
  start: 'Start Mining',
  starting: 'Starting',
  lookAround: 'Look around first',
  toDashboard: 'Go to the dashboard',
} as const;
