import { chainEntry } from '@cord/contracts/proof/chain';
import { chainBefore, followEntries } from '@cord/contracts/proof/entries';
import { describe, expect, test } from 'vitest';
import { startStep, stopStep } from '../node/steps.js';
import { type Account, newAccount } from './account.js';
import { sha256 } from './chain.js';
import { creditStep } from './credit.js';
import { NO_EPOCHS } from './epochs.js';
import { badgeStep, eraseStep } from './factors.js';
import { commissionStep } from './series.js';
import { closeOpen, settle } from './settle.js';
import { entriesWaiting } from './waiting.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;
const userId = 'a'.repeat(32);
const at = (ms: number, outboxMax = 64) => ({ nowMs: NOON_MS + ms, epochs: NO_EPOCHS, outboxMax });
const session = { sessionId: 's', addressHash: null };
const started = startStep(newAccount(userId, 0, NOON_MS), session, at(0));
const creditOf = (n: number, reason = 'Task') =>
  ({ userId, key: `task:t${n}:${userId}:once`, source: 'task', amountMicro: 5n, reason }) as const;
/** What the verifier finds in the entries of an account that was never relayed. */
const followed = (account: Account) =>
  followEntries(sha256, userId, chainBefore(sha256, userId), entriesWaiting(account).map(chainEntry));

describe('the chain of an account', () => {
  test('goes through mining, commission and credits, and its mining is computed again from its facts', () => {
    let account = commissionStep(started, { totalMicro: 7n, stepMostMicro: 100n }, at(1_234));
    account = badgeStep(account, at(0.3 * HOUR_MS));
    account = creditStep(account, creditOf(1), at(0.7 * HOUR_MS));
    account = commissionStep(account, { totalMicro: 9n, stepMostMicro: 100n }, at(1.5 * HOUR_MS));
    account = stopStep(account, at(2.2 * HOUR_MS + 77));
    const entries = entriesWaiting(account);
    const mined = entries.filter(({ source }) => source === 'mining');
    expect(mined.length).toBeGreaterThan(3);
    expect(followed(account)).toMatchObject({
      n: entries.length,
      head: account.chain.head,
      balanceMicro: account.balanceMicro - account.openCommission.amountMicro,
      recomputed: mined.length,
    });
  });

  test('is not touched by what only accrues', () => {
    expect(settle(started, at(60_000)).chain).toBe(started.chain);
  });

  test('has no facts of mining at more than one rate, which stays open while the outbox is full', () => {
    const full = closeOpen(settle(started, at(0.5 * HOUR_MS)), at(0.5 * HOUR_MS));
    const badge: Account = { ...full, factors: { ...full.factors, badge: true } };
    // With no room but the reserve, mining stays open over the change of the rate.
    const open = settle(badge, at(0.9 * HOUR_MS, 16));
    const plain: Account = { ...open, factors: { ...open.factors, badge: false } };
    const closed = closeOpen(settle(plain, at(0.95 * HOUR_MS, 16)), at(0.95 * HOUR_MS));
    const [one, two] = entriesWaiting(closed);
    expect([one?.facts === '', two?.facts]).toEqual([false, '']);
    expect(followed(closed)).toMatchObject({ n: 2, recomputed: 1 });
  });

  test('holds a text with half of a surrogate pair as the store keeps it', () => {
    const account = creditStep(started, creditOf(1, 'a\ud800b'), at(0));
    expect(entriesWaiting(account)[0]?.reason).toBe('a\ufffdb');
    expect(followed(account)).toMatchObject({ n: 1 });
  });

  test('stays when the user is erased, without the salt', () => {
    const credited = creditStep(started, creditOf(1), at(0));
    const erased = eraseStep(credited, at(0));
    expect(credited.chain.salt).not.toBe('');
    expect(erased.chain).toEqual({ ...credited.chain, salt: '' });
  });

  test('has a salt of its own', () => {
    expect(newAccount(userId, 0, NOON_MS).chain.salt).not.toBe(newAccount(userId, 0, NOON_MS).chain.salt);
  });
});
