import { expect, test } from 'vitest';
import { type Account, newAccount } from './account.js';
import { NO_EPOCHS } from './epochs.js';
import { createLedger } from './ledger.js';
import type { LedgerBus, LedgerStore } from './ports.js';
import { commissionStep } from './series.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const userId = 'a'.repeat(32);
const credit = { userId, key: `task:t:${userId}:once`, source: 'task', amountMicro: 5n, reason: '' } as const;

/**
 * A store of which one server has taken writes that the others have not: reads do not show them (kit/store.ts), compare-and-set meets them, a
 * failover takes them back. A write from then on goes to the majority.
 */
function partedStore(majority: Account) {
  const state = { local: majority, majority, isParted: true };
  const store: Partial<LedgerStore> = {
    read: async () => state.majority,
    findEntry: async () => null,
    async compareAndSet(before, next) {
      if (before.seq !== state.local.seq) return false;
      state.local = next;
      if (state.isParted) throw new Error('not acknowledged by the majority');
      state.majority = next;
      return true;
    },
  };
  const newLedger = () =>
    createLedger({
      store: store as LedgerStore,
      bus: {} as LedgerBus,
      busIsUp: () => false,
      nowMs: () => NOON_MS,
      epochs: () => NO_EPOCHS,
      bounds: { tries: 3 },
    });
  const failOver = () => {
    state.local = state.majority;
    state.isParted = false;
  };
  return { state, newLedger, failOver };
}

test('a credit that only one store server has is never reported as credited, and is credited after the failover', async () => {
  const { state, newLedger, failOver } = partedStore(newAccount(userId, 0, NOON_MS));
  await expect(newLedger().credit(credit)).rejects.toThrow('majority');
  // The sweep calls another replica.
  await expect(newLedger().credit(credit)).rejects.toMatchObject({ type: 'busy', retryable: true });
  failOver();
  expect(await newLedger().credit(credit)).toMatchObject({ replayed: false });
  expect(state.majority.balanceMicro).toBe(5n);
  expect(await newLedger().credit(credit)).toMatchObject({ replayed: true, account: { balanceMicro: 5n } });
});

test('a commission total that only one store server has is not reported either, and is stored after the failover', async () => {
  const { state, newLedger, failOver } = partedStore(newAccount(userId, 0, NOON_MS));
  const report = () =>
    newLedger().change(userId, (account, at) => commissionStep(account, { totalMicro: 7n, stepMostMicro: 100n }, at));
  await expect(report()).rejects.toThrow('majority');
  await expect(report()).rejects.toMatchObject({ type: 'busy' });
  failOver();
  expect((await report()).after.totals.bySource.commission).toBe(7n);
  expect(state.majority.totals.bySource.commission).toBe(7n);
});
