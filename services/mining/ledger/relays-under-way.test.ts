import { memoryStore } from '@cord/kit/testing/simulation/memory-collection';
import { expect, test } from 'vitest';
import { createLedgerStore } from '../store/ledger-store.js';
import { newAccount } from './account.js';
import { DAY_LIMITS } from './credit-table.js';
import { NO_EPOCHS } from './epochs.js';
import { eraseStep } from './factors.js';
import { createLedger } from './ledger.js';
import type { LedgerBus } from './ports.js';
import { seal } from './settle.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const QUIET = 'a'.repeat(32);
const BUSY = 'b'.repeat(32);

/** A ledger over a store in memory, with an account that is credited again as soon as its last credit is announced. */
async function ledgerWithOneBusyAccount() {
  const store = createLedgerStore(memoryStore());
  for (const id of [QUIET, BUSY]) await store.insert(newAccount(id, 0, NOON_MS));
  const announced: string[] = [];
  let isBusy = true;
  const credit = (userId: string, n: number) =>
    ledger.credit({ userId, key: `task:t${n}:${userId}:once`, source: 'task', amountMicro: 5n, reason: '' });
  const bus: Partial<LedgerBus> = {
    async publishBalance({ userId, seq }) {
      // The next write is there before this relay ends, as under a load that does not cease.
      if (userId === BUSY && isBusy) await credit(BUSY, Number(seq)).catch(() => undefined);
      await new Promise(setImmediate);
      announced.push(userId);
    },
  };
  const ledger = createLedger({
    store,
    bus: bus as LedgerBus,
    nowMs: () => NOON_MS,
    epochs: () => NO_EPOCHS,
    // No day is full, or the writes would end by themselves.
    bounds: { dayLimits: { ...DAY_LIMITS, task: { micro: 10n ** 15n } } },
  });
  const end = async () => {
    isBusy = false;
    await ledger.flush();
  };
  return { ledger, credit, announced, end };
}

test('waiting for the relays of one account does not wait for another one, even under constant writes', async () => {
  const { ledger, credit, announced, end } = await ledgerWithOneBusyAccount();
  await credit(BUSY, 0);
  await credit(QUIET, 0);
  await ledger.relayed(QUIET);
  expect(announced).toContain(QUIET);
  await end();
});

test('waiting for all relays covers those under way, not later writes', async () => {
  const { ledger, credit, announced, end } = await ledgerWithOneBusyAccount();
  await credit(BUSY, 0);
  await credit(QUIET, 0);
  await ledger.flush();
  expect(announced).toContain(QUIET);
  await end();
});

test('an announcement by a replica is withdrawn when the owner has erased the user meanwhile', async () => {
  const idle = newAccount(QUIET, 0, NOON_MS);
  const node = {
    ...idle.node,
    status: 'active' as const,
    sessionId: 's',
    lastAtMs: NOON_MS,
    leaseUntilMs: NOON_MS + 1,
  };
  const store = createLedgerStore(memoryStore());
  await store.insert({ ...idle, node, announceSeq: null });
  const stream: string[] = [];
  const bus: Partial<LedgerBus> = {
    async publishBalance({ userId }) {
      await owner.change(QUIET, eraseStep);
      await owner.flush();
      stream.push(userId);
    },
    withdraw: async () => void stream.splice(0),
  };
  const parts = { store, bus: bus as LedgerBus, nowMs: () => NOON_MS, epochs: () => NO_EPOCHS };
  const other = createLedger({ ...parts, owns: () => false });
  const owner = createLedger({ ...parts, onOvertaken: ({ userId }) => other.forget(userId) });
  await other.change(QUIET, (account, { nowMs }) => seal(account, { ...account }, nowMs, 'now'));
  await other.flush();
  expect([(await store.read(QUIET))?.erasedAtMs, stream]).toEqual([NOON_MS, []]);
});
