import { expect, test } from 'vitest';
import type { Account } from './account.js';
import { NO_EPOCHS } from './epochs.js';
import { createLedger } from './ledger.js';
import type { LedgerBus, LedgerStore } from './ports.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const YEAR_MS = 31_557_600_000;
const userId = 'a'.repeat(32);

/** A replica whose clock stands at a time, and agrees with others or not. */
function replica(nowMs: number, agrees: boolean, confirmedMs = nowMs) {
  let clockMs = nowMs;
  const stored: Account[] = [];
  const store: Partial<LedgerStore> = {
    read: async () => null,
    insert: async (account) => stored.push(account) > 0,
  };
  const ledger = createLedger({
    store: store as LedgerStore,
    bus: {} as LedgerBus,
    busIsUp: () => false,
    nowMs: () => clockMs,
    epochs: () => NO_EPOCHS,
    async confirmTime() {
      clockMs = confirmedMs;
      return agrees;
    },
  });
  return { stored, open: (joinedAtMs?: number) => ledger.open(userId, 0, joinedAtMs) };
}

test('an account opens by a clock far from when its user came only if the clock agrees with others', async () => {
  const wrong = replica(NOON_MS + YEAR_MS, false);
  await expect(wrong.open(NOON_MS)).rejects.toMatchObject({ type: 'clock-unsure', retryable: true });
  await expect(wrong.open()).rejects.toMatchObject({ type: 'clock-unsure' });
  expect(wrong.stored).toEqual([]);
  await replica(NOON_MS + 60_000, false).open(NOON_MS);
  const late = replica(NOON_MS + YEAR_MS, true);
  await late.open(NOON_MS);
  expect(late.stored[0]).toMatchObject({ openedAtMs: NOON_MS + YEAR_MS, joinedAtMs: NOON_MS });
});

test('a clock that is set right as it is confirmed opens the account at the right time', async () => {
  const once = replica(NOON_MS + YEAR_MS, true, NOON_MS);
  await once.open(NOON_MS);
  expect(once.stored[0]).toMatchObject({ openedAtMs: NOON_MS });
});
