import type { UpdatedUser } from '@cord/contracts/http/users';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestSdk, SAMPLE_NOW_MS, sampleMining, sampleUser, type TestSdk } from './testing';

const user = sampleUser({ balanceSeq: '100', current_balance: 50, total_earned: 60, comp_claim: false });
const update = (changes: Partial<UpdatedUser>): UpdatedUser => ({ id: user.id, ...changes });
let sdk: TestSdk;
const record = () => sdk.session.state.get().user;

beforeEach(() => {
  sdk = createTestSdk({ user });
});

test('a newer ledger state replaces the older one', () => {
  sdk.session.merge(update({ balanceSeq: '101', current_balance: 51, total_earned: 61 }));
  expect(record()).toMatchObject({ balanceSeq: '101', current_balance: 51, total_earned: 61 });
  expect(sdk.session.balance.get()?.micro).toBe(51_000_000n);
});

test('an answer that comes late never brings back an older balance, but what else it shows counts', () => {
  sdk.session.merge(update({ balanceSeq: '99', current_balance: 40, total_earned: 41, comp_claim: true }));
  expect(record()).toMatchObject({ balanceSeq: '100', current_balance: 50, total_earned: 60, comp_claim: true });
  expect(sdk.session.balance.get()?.micro).toBe(50_000_000n);
});

test('seqs are compared as numbers, not as text', () => {
  sdk.session.merge(update({ balanceSeq: '1000', current_balance: 70 }));
  sdk.session.merge(update({ balanceSeq: '999', current_balance: 60 }));
  expect(record()?.current_balance).toBe(70);
});

test('a balance without a seq is not taken for a ledger state', () => {
  sdk.session.merge(update({ current_balance: 1 }));
  expect(record()?.current_balance).toBe(50);
});

test('the same seq settled to a later moment is taken, to an earlier one not', () => {
  const later = new Date(SAMPLE_NOW_MS + 5_000).toISOString();
  const earlier = new Date(SAMPLE_NOW_MS - 5_000).toISOString();
  sdk.session.merge(update({ balanceSeq: '100', current_balance: 52, total_earned: 62, balanceAt: later }));
  sdk.session.merge(update({ balanceSeq: '100', current_balance: 49, total_earned: 59, balanceAt: earlier }));
  expect(record()).toMatchObject({ current_balance: 52, total_earned: 62, balanceAt: later });
  expect(sdk.session.balance.get()).toEqual({ micro: 52_000_000n, asOfMs: SAMPLE_NOW_MS + 5_000 });
});

test('a newer seq is taken though it was settled to an earlier moment: a clock was put right', () => {
  const at = (ms: number) => new Date(SAMPLE_NOW_MS + ms).toISOString();
  sdk.session.merge(update({ balanceSeq: '101', current_balance: 52, balanceAt: at(5_000) }));
  sdk.session.merge(update({ balanceSeq: '102', current_balance: 53, balanceAt: at(-5_000) }));
  expect(record()?.current_balance).toBe(53);
  expect(sdk.session.balance.get()?.micro).toBe(53_000_000n);
});

test('the record follows the node: started, stopped', () => {
  const runs = [sampleMining(), null].map((node) => {
    sdk.session.observeNode(node);
    return record()?.is_node_active;
  });
  expect(runs).toEqual([true, false]);
});

test('a part whose owner did not answer does not wipe out what is known', () => {
  sdk.session.signIn({ ...user, balanceSeq: null, current_balance: null, rank: null, referralCode: null });
  expect(record()).toMatchObject({ current_balance: 50, rank: 37, referralCode: 'K7M2QX9D' });
  sdk.session.merge(update({ username: undefined, balanceSeq: '101', current_balance: null }));
  expect(record()?.username).toBe(user.username);
  expect(sdk.session.balance.get()?.micro).toBe(50_000_000n);
});

describe('a record put together before the news of its owner had come takes nothing back', () => {
  const at = (time: string) => ({ serverTime: `2026-11-2${time}:00.000Z` });
  beforeEach(() => {
    sdk = createTestSdk({ user: { ...user, ...at('1T23:58'), tasks_completed: 3, daily_checkin_claimed: false } });
  });

  test('a claim, a task that is done, and who invited', () => {
    sdk.session.merge(update({ comp_claim: true, tasks_completed: 4, referred_by: 'Old Salt' }));
    sdk.session.signIn({ ...user, comp_claim: false, tasks_completed: 3, referred_by: null });
    expect(record()).toMatchObject({ comp_claim: true, tasks_completed: 4, referred_by: 'Old Salt' });
    sdk.session.signIn({ ...user, tasks_completed: 5 });
    expect(record()?.tasks_completed).toBe(5);
  });

  test.each([
    ['of the same day', '1T23:59', '1T23:59', true],
    ['of the evening before a check-in at midnight', '2T00:01', '1T23:59', true],
    ['of the day after', '1T23:59', '2T00:01', false],
  ])('the check-in, by a record %s', (_, checkedIn, read, claimed) => {
    sdk.session.merge(update({ daily_checkin_claimed: true, ...at(checkedIn) }));
    sdk.session.signIn({ ...user, daily_checkin_claimed: false, ...at(read) });
    expect(record()?.daily_checkin_claimed).toBe(claimed);
    // A record of an earlier time does not set the record's time back.
    sdk.session.signIn({ ...user, daily_checkin_claimed: false, ...at('1T23:58') });
    expect(record()?.daily_checkin_claimed).toBe(claimed);
  });
});

test('an update of another user is ignored', () => {
  sdk.session.merge({ id: 'f'.repeat(32), balanceSeq: '500', current_balance: 9 });
  expect(record()?.current_balance).toBe(50);
  expect(sdk.sent).toEqual([]);
});

test('tabs of one browser stay in step: balance, node and sign-out travel', () => {
  const change = update({ balanceSeq: '101', current_balance: 51 });
  sdk.session.merge(change);
  sdk.session.observeNode(sampleMining());
  expect(sdk.sent.map((message) => message.kind)).toEqual(['user', 'node']);

  const other = createTestSdk({ user });
  for (const message of sdk.sent) other.receive(message);
  expect(other.session.state.get().user?.current_balance).toBe(51);
  expect(other.session.node.get()?.id).toBe(sampleMining().id);
  other.receive({ kind: 'signed-out', userId: 'f'.repeat(32) });
  expect(other.session.state.get().status).toBe('signed-in');
  other.receive({ kind: 'signed-out', userId: user.id });
  expect(other.session.state.get().status).toBe('signed-out');
  expect(other.session.balance.get()).toBeNull();
});

test('a session that comes with its balance is taken with it, and never with an older one', () => {
  const credited = {
    creditedUntil: new Date(SAMPLE_NOW_MS + 5_000).toISOString(),
    newBalance: 50.5,
    balanceSeq: '102',
  };
  sdk.session.observeNode(sampleMining(credited));
  expect(sdk.session.balance.get()).toEqual({ micro: 50_500_000n, asOfMs: SAMPLE_NOW_MS + 5_000 });
  sdk.session.merge(update({ balanceSeq: '101', current_balance: 49 }));
  sdk.session.observeNode(sampleMining({ ...credited, newBalance: 48, balanceSeq: '99' }));
  expect(sdk.session.balance.get()?.micro).toBe(50_500_000n);
});

test('a session that was read before the one known is not taken', () => {
  const fresh = sampleMining({ earnings: 20, serverTime: new Date(SAMPLE_NOW_MS + 10_000).toISOString() });
  sdk.session.observeNode(fresh);
  sdk.session.observeNode(sampleMining({ earnings: 10 }));
  expect(sdk.session.node.get()?.earnings).toBe(20);
});

const at = (ms: number) => new Date(SAMPLE_NOW_MS + ms).toISOString();

test('an answer from before the stop never brings the node back, in any tab', () => {
  sdk.session.observeNode(sampleMining());
  sdk.session.observeNode(sampleMining({ status: 'ended', endedAt: at(2_000), serverTime: at(2_000) }));
  expect(sdk.session.node.get()).toBeNull();
  sdk.session.observeNode(sampleMining({ serverTime: at(1_000) }));
  expect(sdk.session.node.get()).toBeNull();

  const other = createTestSdk({ user });
  other.session.observeNode(sampleMining());
  for (const message of sdk.sent) other.receive(message);
  other.session.observeNode(sampleMining({ serverTime: at(1_000) }));
  expect(other.session.node.get()).toBeNull();
});

test('that the node stood still before it was started is no news', () => {
  const sentMs = SAMPLE_NOW_MS;
  sdk.session.observeNode(sampleMining({ serverTime: at(1_000) }));
  sdk.session.observeNode(null, { asOfMs: sentMs });
  expect(sdk.session.node.get()?.status).toBe('active');
  sdk.session.observeNode(null, { asOfMs: SAMPLE_NOW_MS + 1_500 });
  expect(sdk.session.node.get()).toBeNull();
});

test('a stamp of a clock that was far ahead, and has been put right since, blocks nothing', () => {
  sdk.session.observeNode(null, { asOfMs: SAMPLE_NOW_MS + 3_600_000 });
  sdk.session.observeNode(sampleMining());
  expect(sdk.session.node.get()?.status).toBe('active');
});

test('another user’s sign-in takes nothing over from the one before', () => {
  sdk.session.observeNode(sampleMining());
  sdk.session.signIn(sampleUser({ id: 'f'.repeat(32), current_balance: 1, balanceSeq: '1' }));
  expect(sdk.session.node.get()).toBeUndefined();
  expect(sdk.session.balance.get()?.micro).toBe(1_000_000n);
});
