import { expect, test } from 'vitest';
import { startStep } from '../node/steps.js';
import { type Account, newAccount } from './account.js';
import { accountWrite, SAVE_COMES_MS } from './account-write.js';
import { creditStep } from './credit.js';
import { NO_EPOCHS } from './epochs.js';
import { seal } from './settle.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const at = (nowMs: number) => ({ nowMs, epochs: NO_EPOCHS });
const userId = '0'.repeat(32);
const started = startStep(newAccount(userId, 0, NOON_MS), { sessionId: 's', addressHash: null }, at(NOON_MS));
/** A node that runs, with nothing to relay. */
const running: Account = { ...started, outbox: [], announceSeq: null };
const later = (account: Account, announce: 'now' | 'sometimes') => seal(account, { ...account }, NOON_MS, announce);
const credited = (account: Account) => {
  const credit = { userId, key: `task:t:${userId}:1`, source: 'task', amountMicro: 5n, reason: '' } as const;
  return creditStep(account, credit, at(NOON_MS));
};
const announcing = later(running, 'now');
const announcedSeq = announcing.seq;

test('only the announcement of a running node waits for the next save; an entry or an idle node is due at once', () => {
  const write = accountWrite(running, announcing, NOON_MS, null);
  expect(write).toEqual({
    newItems: [],
    announceSeq: announcing.seq,
    mark: { kind: 'anew', atMs: NOON_MS + SAVE_COMES_MS },
  });
  expect(accountWrite(running, credited(running), NOON_MS, null).mark).toEqual({ kind: 'anew', atMs: NOON_MS });
  const resting: Account = { ...running, node: { ...running.node, status: 'idle' } };
  expect(accountWrite(resting, later(resting, 'now'), NOON_MS, null).mark).toEqual({ kind: 'anew', atMs: NOON_MS });
});

test('a save keeps the slot and the mark, announced or not; only an erasure empties the slot', () => {
  const saved = later(announcing, 'sometimes');
  for (const known of [null, announcedSeq - 1n, announcedSeq]) {
    const write = accountWrite(announcing, saved, NOON_MS, known);
    expect(write).toMatchObject({ announceSeq: undefined, mark: { kind: 'stays' } });
  }
  const erased: Account = { ...saved, erasedAtMs: NOON_MS };
  expect(accountWrite(announcing, erased, NOON_MS, null).announceSeq).toBeNull();
});

test('a waiting entry keeps its mark, and a new announcement does not postpone it', () => {
  const waiting: Account = { ...credited(announcing), announceSeq: announcing.announceSeq };
  const saved = later(waiting, 'sometimes');
  expect(accountWrite(waiting, saved, NOON_MS, announcedSeq)).toMatchObject({
    announceSeq: undefined,
    mark: { kind: 'stays' },
  });
  expect(accountWrite(waiting, later(waiting, 'now'), NOON_MS, announcedSeq).mark.kind).toBe('earliest');
  expect(accountWrite(announcing, later(announcing, 'now'), NOON_MS, null).mark.kind).toBe('earliest');
  expect(accountWrite(announcing, later(announcing, 'now'), NOON_MS, announcedSeq).mark.kind).toBe('anew');
});
