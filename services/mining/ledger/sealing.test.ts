import { chainEntry } from '@cord/contracts/proof/chain';
import { chainBefore, followEntries } from '@cord/contracts/proof/entries';
import { describe, expect, test } from 'vitest';
import { startStep } from '../node/steps.js';
import { newAccount } from './account.js';
import { sha256 } from './chain.js';
import { creditStep } from './credit.js';
import { NO_EPOCHS } from './epochs.js';
import { settle } from './settle.js';
import { entriesWaiting } from './waiting.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const userId = 'a'.repeat(32);
const at = (ms: number) => ({ nowMs: NOON_MS + ms, epochs: NO_EPOCHS });
const session = { sessionId: 's', addressHash: null };
const started = startStep(newAccount(userId, 0, NOON_MS), session, at(0));
describe('the chain of an account', () => {
  test('does not change by accrual alone', () => {
    expect(settle(started, at(60_000)).chain).toBe(started.chain);
  });

  test('contains a text with a lone surrogate as the store keeps it, and the verifier accepts it', () => {
    const credit = {
      userId,
      key: `task:t:${userId}:once`,
      source: 'task',
      amountMicro: 5n,
      reason: 'a\ud800b',
    } as const;
    const account = creditStep(started, credit, at(0));
    expect(entriesWaiting(account)[0]?.reason).toBe('a\ufffdb');
    // As the verifier takes it.
    const entries = entriesWaiting(account).map(chainEntry);
    expect(followEntries(sha256, userId, chainBefore(sha256, userId), entries)).toMatchObject({ n: 1 });
  });

  test('has a salt of its own', () => {
    expect(newAccount(userId, 0, NOON_MS).chain.salt).not.toBe(newAccount(userId, 0, NOON_MS).chain.salt);
  });
});
