import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { expect, test } from 'vitest';
import { contactStep, startStep } from '../node/steps.js';
import { type Account, newAccount } from './account.js';
import { NO_EPOCHS } from './epochs.js';
import { createLedger } from './ledger.js';
import type { LedgerBus, LedgerStore } from './ports.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;
const userId = 'a'.repeat(32);

/** A ledger over one account, or none yet, whose clock is confirmed or not. */
function ledgerAt(stored: { account?: Account }, nowMs: number, isConfirmed: boolean, confirmedMs = nowMs) {
  let clockMs = nowMs;
  const compared: number[] = [];
  const store: Partial<LedgerStore> = {
    read: async () => stored.account ?? null,
    async insert(account) {
      stored.account = account;
      return true;
    },
    async compareAndSet(_, next) {
      stored.account = next;
      return true;
    },
  };
  const ledger = createLedger({
    store: store as LedgerStore,
    bus: {} as LedgerBus,
    busIsUp: () => false,
    nowMs: () => clockMs,
    epochs: () => NO_EPOCHS,
    async confirmTime() {
      compared.push(clockMs);
      clockMs = confirmedMs;
      return isConfirmed;
    },
  });
  return { ledger, compared };
}

const running = () => ({
  account: startStep(
    newAccount(userId, 0, NOON_MS),
    { sessionId: 's', addressHash: null },
    { nowMs: NOON_MS, epochs: NO_EPOCHS },
  ),
});

test('a step within a lease and an hour does not compare clocks', async () => {
  const stored = running();
  const { ledger, compared } = ledgerAt(stored, NOON_MS + LEASE_MS + HOUR_MS, false);
  await ledger.change(userId, contactStep);
  expect([stored.account.node.status, compared]).toEqual(['paused', []]);
});

test('a longer step requires a confirmed clock; without one nothing is written', async () => {
  const stored = running();
  const before = stored.account;
  const far = NOON_MS + LEASE_MS + HOUR_MS + 1;
  const unsure = ledgerAt(stored, far, false);
  await expect(unsure.ledger.change(userId, contactStep)).rejects.toMatchObject({
    type: 'clock-unsure',
    retryable: true,
  });
  expect([stored.account, unsure.compared]).toEqual([before, [far]]);
  await ledgerAt(stored, far, true).ledger.change(userId, contactStep);
  expect(stored.account.node.status).toBe('paused');
});

test('a step has the corrected time when the confirmation corrects the clock', async () => {
  const stored = running();
  const laterMs = NOON_MS + 60_000;
  await ledgerAt(stored, NOON_MS + 30 * 24 * HOUR_MS, true, laterMs).ledger.change(userId, contactStep);
  expect([stored.account.node.status, stored.account.node.lastAtMs]).toEqual(['active', laterMs]);
});

test('an account opens long after its user joined only with a confirmed clock', async () => {
  const stored: { account?: Account } = {};
  const wrong = ledgerAt(stored, NOON_MS + YEAR_MS, false).ledger;
  await expect(wrong.open(userId, 0, NOON_MS)).rejects.toMatchObject({ type: 'clock-unsure', retryable: true });
  await expect(wrong.open(userId, 0)).rejects.toMatchObject({ type: 'clock-unsure' });
  expect(stored).toEqual({});
  await ledgerAt({}, NOON_MS + 60_000, false).ledger.open(userId, 0, NOON_MS);
  await ledgerAt(stored, NOON_MS + YEAR_MS, true).ledger.open(userId, 0, NOON_MS);
  expect(stored.account).toMatchObject({ openedAtMs: NOON_MS + YEAR_MS, joinedAtMs: NOON_MS });
});

test('an account opens at the corrected time when the confirmation corrects the clock', async () => {
  const stored: { account?: Account } = {};
  await ledgerAt(stored, NOON_MS + YEAR_MS, true, NOON_MS).ledger.open(userId, 0, NOON_MS);
  expect(stored.account).toMatchObject({ openedAtMs: NOON_MS });
});
