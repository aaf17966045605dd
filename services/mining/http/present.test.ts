import { DAY_MS } from '@cord/contracts/rules/days';
import { expect, test } from 'vitest';
import { newAccount } from '../ledger/account.js';
import { epochTable } from '../ledger/epochs.js';
import { sessionRecord } from '../ledger/settle.js';
import { currentSession, miningResult, updatedUser } from './present.js';

const NOW_MS = Date.UTC(2026, 10, 18, 12);
const EPOCH_ENDS_MS = NOW_MS + DAY_MS;
const EPOCH = { id: 'alpha', name: 'Alpha', multiplierHundredths: 110, startAt: 0, endAt: EPOCH_ENDS_MS };

/** A save of a node, and how often the table of epochs was looked at. */
function saved(status: 'active' | 'paused') {
  let looks = 0;
  const table = epochTable(1n, [EPOCH]);
  const epochs = {
    ...table,
    get spans() {
      looks += 1;
      return table.spans;
    },
  };
  const moment = { nowMs: NOW_MS, epochs };
  const opened = newAccount('a'.repeat(32), NOW_MS - 3 * DAY_MS, NOW_MS - DAY_MS);
  const node = { ...opened.node, status, sessionId: 'b'.repeat(32), startedAtMs: NOW_MS - 60_000, lastAtMs: NOW_MS };
  const account = { ...opened, node };
  const session = sessionRecord(account, status, moment);
  const result = { account, session, moment, creditedMicro: 0n, changed: true };
  const looksOf = (work: () => unknown) => {
    const before = looks;
    work();
    return looks - before;
  };
  return { result, looksOf };
}

test('the response to a save computes the end of the rate once, for itself and for its running session', () => {
  const { result, looksOf } = saved('active');
  const parts = looksOf(() => [currentSession(result), updatedUser(result.account, result.moment)]);
  expect(looksOf(() => miningResult(result))).toBe(parts);
  const { rateUntil, session } = miningResult(result);
  expect([rateUntil, session?.rateUntil]).toEqual(Array(2).fill(new Date(EPOCH_ENDS_MS).toISOString()));
});

test('the response contains the end of the rate even when the session is paused or missing', () => {
  const { result } = saved('paused');
  const ends = new Date(EPOCH_ENDS_MS).toISOString();
  expect(miningResult(result)).toMatchObject({ rateUntil: ends, session: { status: 'paused', rateUntil: null } });
  expect(miningResult({ ...result, session: null })).toMatchObject({ rateUntil: ends, session: null });
});
