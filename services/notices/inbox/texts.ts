/* The words of notices in English, letter by letter as they are specified; another language stands beside this file. */

interface Named {
  [name: string]: string | number;
}

/** A text with places for values. */
const withValues = (text: string) => (values: Named) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

export const TEXTS = {
  paused: withValues('Your node paused at {time}'),
  pausedText: 'Nobody came back for 8 hours. Everything up to then is credited.',
  closing: withValues('Your streak closes in {left}'),
  closingText: withValues('Check in before 00:00 UTC to keep {days}. Today pays {amount} CORD.'),
  joined: withValues('{name} joined with your code'),
  someoneJoined: 'A friend joined with your code',
  joinedText: withValues('You receive {amount} CORD when their node has run for 10 minutes.'),
  paid: 'Payment proven: the Badge of Honor is yours',
  paidText: 'Your payment is final on the network.',
  answered: {
    appeal: 'Your appeal is answered',
    refund: 'Your refund request is answered',
    support: 'Your request is answered',
  },
  answeredText: 'The answer stands in Settings, under Support.',
  days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
  begins: withValues('{name} begins at {time}'),
  begun: withValues('{name} has begun'),
  pays: withValues('Mining pays ×{factor} for {days}.'),
  rateBecomes: withValues('Your rate becomes {rate} CORD/min.'),
} as const;
