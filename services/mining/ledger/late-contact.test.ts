import { dayKey } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { expect, test } from 'vitest';
import { contactStep, startStep } from '../node/steps.js';
import { type Account, newAccount } from './account.js';
import { OUTBOX_LEAST } from './bounds.js';
import { creditStep } from './credit.js';
import { NO_EPOCHS } from './epochs.js';
import { entriesWaiting } from './waiting.js';

const userId = 'a'.repeat(32);
const EVENING_MS = Date.UTC(2026, 5, 1, 15);
const MIDNIGHT_MS = Date.UTC(2026, 5, 2);
const at = (nowMs: number, outboxMax = 64) => ({ nowMs, epochs: NO_EPOCHS, outboxMax });
const relayed = (account: Account): Account => ({ ...account, outbox: [] });

test('what a contact gives that is written after the day was over belongs to the day in which it is counted', () => {
  const opened = newAccount(userId, 0, EVENING_MS);
  const started = startStep(opened, { sessionId: 's', addressHash: null }, at(EVENING_MS));
  // The lease ends before midnight; a full outbox puts the pause off, and a credit turns the day.
  const credit = { userId, key: `task:t:${userId}:once`, source: 'task', amountMicro: 5n, reason: '' } as const;
  const full = { ...started, outbox: [...started.outbox, ...started.outbox] };
  const turned = relayed(creditStep(full, credit, at(MIDNIGHT_MS + 60_000, OUTBOX_LEAST)));
  expect(turned.node.status).toBe('active');
  // The contact was made 17 s after the start, and its replica could not write it until now.
  const renewed = { ...turned, node: { ...turned.node, leaseUntilMs: EVENING_MS + 17_000 + LEASE_MS } };
  const written = contactStep(renewed, at(MIDNIGHT_MS + 120_000));
  const [entry] = entriesWaiting(written);
  expect(entry?.amountMicro).toBe(written.totals.day.bySource.mining);
  expect(dayKey(entry?.atMs ?? 0)).toBe(written.totals.day.key);
});
