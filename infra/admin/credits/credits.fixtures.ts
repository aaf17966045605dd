import type { parkedCredits } from '@cord/contracts/addresses/operations';
import type { ResponseOf } from '@cord/contracts/calls';
import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

type Credit = ResponseOf<typeof parkedCredits>['credits'][number];

const HOUR_MS = 3_600_000;

export function sampleCredit(n: number, changes: Partial<Credit> = {}): Credit {
  const userId = n.toString(16).padStart(32, 'f');
  return {
    service: 'tasks',
    key: `task:join-discord:${userId}:once`,
    userId,
    source: 'task',
    amount: 120,
    reason: 'Join our Discord',
    refusal: 'key-conflict',
    message: 'The key stands for another credit',
    parkedAt: new Date(SAMPLE_NOW_MS - 30 * HOUR_MS + n * HOUR_MS).toISOString(),
    ...changes,
  };
}

export const CREDITS: readonly Credit[] = [
  sampleCredit(1),
  sampleCredit(2, {
    service: 'referrals',
    key: `compensation:${'f'.repeat(31)}2`,
    source: 'compensation',
    amount: 86.5,
    refusal: 'amount-not-allowed',
    message: 'The amount is not allowed for this source',
  }),
];

/** An sdk of an operator who has Refused credits open. A credit that succeeds leaves the list. */
export function creditsSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  const credits = new Map(CREDITS.map((credit) => [credit.key, credit]));
  sdk.tabs.setParam('admin', 'view', 'credits');
  sdk.api
    .on(at.operations.parkedCredits, () => ({ credits: [...credits.values()], nextCursor: null, missing: [] }))
    .on(at.operations.retryParkedCredit, ({ body }) => {
      credits.delete(body?.key ?? '');
      return { outcome: 'credited' };
    });
  return sdk;
}
