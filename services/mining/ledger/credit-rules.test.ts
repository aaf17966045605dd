import { DAY_MS } from '@cord/contracts/rules/days';
import { cord } from '@cord/contracts/rules/money';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { CLOCK_OFF_MS_MAX } from '@cord/kit/bounds';
import { expect, test } from 'vitest';
import { newAccount } from './account.js';
import { assertFits } from './credit-rules.js';
import { epochTable } from './epochs.js';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const USER = 'a'.repeat(32);

test('the largest amount allows for a caller whose clock is ahead by the permitted skew, and no more', () => {
  // A year old in as long as two clocks differ at the most.
  const born = NOW_MS + 2 * CLOCK_OFF_MS_MAX - YEAR_MS;
  const account = newAccount(USER, born, NOW_MS - DAY_MS);
  const moment = { nowMs: NOW_MS, epochs: epochTable(1n, [], [FIRST_BOOK]) };
  const task = (micro: bigint) => ({
    ...{ userId: USER, key: `task:a:${USER}:once`, source: 'task' as const, reason: '' },
    amountMicro: micro,
  });
  const tier = FIRST_BOOK.tiers.findLast(({ fromYears }) => fromYears <= 1)?.hundredths ?? 0;
  const most = (BigInt(FIRST_BOOK.taskMostMicro) * BigInt(tier)) / 100n;
  expect(most).toBeGreaterThan(BigInt(FIRST_BOOK.taskMostMicro));
  expect(() => assertFits(account, task(most), moment)).not.toThrow();
  expect(() => assertFits(account, task(most + cord(1)), moment)).toThrow('above what the rules');
  expect(() => assertFits(account, task(most), { ...moment, nowMs: NOW_MS - 1 })).toThrow('above what the rules');
});
