import { NATS_PAYLOAD_BYTES_MAX } from '@cord/kit/bounds';
import { expect, test } from 'vitest';
import { serveExport } from './export.js';
import { type Entry, newAccount } from './ledger/account.js';
import { NO_EPOCHS } from './ledger/epochs.js';
import { sessionRecord } from './ledger/settle.js';

const NOW_MS = Date.UTC(2026, 10, 18, 12);
const USER = 'a'.repeat(32);
const moment = { nowMs: NOW_MS, epochs: NO_EPOCHS };
const opened = newAccount(USER, 0, NOW_MS - 60_000);
const account = { ...opened, seq: 10_000n, node: { ...opened.node, sessionId: 'b'.repeat(32) } };

/** The export of a user who has that many entries, all of tasks with such a title; some of them wait in the outbox. */
async function exported(taskId: string, title: string, { stored = 2_000, waiting = [] as number[] } = {}) {
  const entry = (seq: number): Entry => ({
    ...{ userId: USER, key: `task:${taskId}:${USER}:${seq}`, seq: BigInt(seq), n: seq, source: 'task' },
    ...{ amountMicro: 35_000_000n, balanceMicro: 1_000_000_000_000n, atMs: NOW_MS, reason: title, facts: '' },
    hash: 'h'.repeat(44),
  });
  const session = { ...sessionRecord(account, 'ended', moment), epochId: 'e'.repeat(64) };
  const waits = (n: number) => ({ kind: 'entry' as const, key: entry(n).key, seq: BigInt(n), entry: entry(n) });
  const asStored = { ...account, outbox: waiting.map(waits) };
  // Settled to now an hour that is over is an entry more, which nobody has written.
  const settled = { ...account, outbox: [...asStored.outbox, waits(9_999)] };
  const handlers: ((request: { userId: string }) => Promise<object>)[] = [];
  serveExport(
    { serve: (_rpc: unknown, handle: never) => void handlers.push(handle) } as never,
    {
      readSettled: async () => ({ account: settled, stored: asStored, moment }),
      history: async (_userId, { limit }) => ({ sessions: Array(limit).fill(session), nextCursor: null, moment }),
    },
    { entries: async () => Array.from({ length: stored }, (_, n) => entry(stored - n)) },
  );
  return (await handlers[0]?.({ userId: USER })) as { ledger: { n: string }[]; sessions: object[] };
}

test('an export contains the newest 2,000 entries and 500 sessions', async () => {
  const { ledger, sessions } = await exported('mine-1-hour', 'Mine for an hour');
  expect([ledger.length, sessions.length]).toEqual([2_000, 500]);
});

test('an export also contains entries that are not stored yet, each once', async () => {
  const { ledger } = await exported('mine-1-hour', 'Mine for an hour', { stored: 3, waiting: [3, 4, 5] });
  expect(ledger.map(({ n }) => Number(n))).toEqual([5, 4, 3, 2, 1]);
  const full = await exported('mine-1-hour', 'Mine for an hour', { waiting: [2_001] });
  expect([full.ledger.length, Number(full.ledger[0]?.n)]).toEqual([2_000, 2_001]);
});

test('an export keeps the newest entries when all of them are too large for one message', async () => {
  const whole = await exported('t'.repeat(64), '語'.repeat(120));
  expect(Buffer.byteLength(JSON.stringify(whole))).toBeLessThan(NATS_PAYLOAD_BYTES_MAX);
  expect(whole.ledger.length).toBeGreaterThan(900);
  expect(whole.ledger.map(({ n }) => Number(n))).toEqual(whole.ledger.map((_, n) => 2_000 - n));
  expect(whole.sessions).toHaveLength(500);
});
