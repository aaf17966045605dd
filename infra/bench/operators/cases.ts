import { idOf } from '../ranks/crowd.ts';

const MINUTE_MS = 60_000;

/** Id of the n-th case; like real ids, it does not rise with n. */
export const caseId = (n: number): string => [...idOf(n)].reverse().join('');

/** Time at which the n-th case was filed, ms. */
export const filedMs = (n: number, nowMs: number): number => nowMs - (n + 1) * MINUTE_MS;

/** Some kinds are rare among a hundred cases, so that a filter without an index would show. */
const kindOf = (n: number) => (n % 100 === 7 ? 'refund' : n % 3 === 0 ? 'appeal' : 'support');
const statusOf = (n: number) => (n % 2 === 0 ? 'open' : n % 50 === 1 ? 'closed' : 'answered');

/** The n-th case as stored by auth: 50 % are open, 1 % are refunds, 10 % are a holder's. @param users the authors */
export function caseDoc(n: number, users: number, nowMs: number) {
  const status = statusOf(n);
  const createdAtMs = filedMs(n, nowMs);
  return {
    _id: caseId(n),
    userId: idOf(n % users),
    kind: kindOf(n),
    subject: `Case ${n}`,
    text: 'What happened, in a few sentences, as people write them. '.repeat(8),
    status,
    priority: n % 10 === 0,
    createdAtMs,
    ...(status === 'open' ? {} : { answer: 'What was found.', answeredAtMs: createdAtMs + MINUTE_MS }),
  };
}
