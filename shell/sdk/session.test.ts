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

test('a late response never restores an older balance, but its other fields apply', () => {
  sdk.session.merge(update({ balanceSeq: '99', current_balance: 40, total_earned: 41, comp_claim: true }));
  expect(record()).toMatchObject({ balanceSeq: '100', current_balance: 50, total_earned: 60, comp_claim: true });
  expect(sdk.session.balance.get()?.micro).toBe(50_000_000n);
});

test('seqs are compared as numbers, not as text', () => {
  sdk.session.merge(update({ balanceSeq: '1000', current_balance: 70 }));
  sdk.session.merge(update({ balanceSeq: '999', current_balance: 60 }));
  expect(record()?.current_balance).toBe(70);
});

test('a balance without a seq is not a ledger state, and is ignored', () => {
  sdk.session.merge(update({ current_balance: 1 }));
  expect(record()?.current_balance).toBe(50);
});

test('with the same seq, a state settled later applies, one settled earlier does not', () => {
  const later = new Date(SAMPLE_NOW_MS + 5_000).toISOString();
  const earlier = new Date(SAMPLE_NOW_MS - 5_000).toISOString();
  sdk.session.merge(update({ balanceSeq: '100', current_balance: 52, total_earned: 62, balanceAt: later }));
  sdk.session.merge(update({ balanceSeq: '100', current_balance: 49, total_earned: 59, balanceAt: earlier }));
  expect(record()).toMatchObject({ current_balance: 52, total_earned: 62, balanceAt: later });
  expect(sdk.session.balance.get()).toEqual({ micro: 52_000_000n, asOfMs: SAMPLE_NOW_MS + 5_000 });
});

test('a newer seq applies even if it was settled at an earlier time, as after a clock correction', () => {
  const at = (ms: number) => new Date(SAMPLE_NOW_MS + ms).toISOString();
  sdk.session.merge(update({ balanceSeq: '101', current_balance: 52, balanceAt: at(5_000) }));
  sdk.session.merge(update({ balanceSeq: '102', current_balance: 53, balanceAt: at(-5_000) }));
  expect(record()?.current_balance).toBe(53);
  expect(sdk.session.balance.get()?.micro).toBe(53_000_000n);
});

test('the record follows the node when it starts and stops', () => {
  const runs = [sampleMining(), null].map((node) => {
    sdk.session.observeNode(node);
    return record()?.is_node_active;
  });
  expect(runs).toEqual([true, false]);
});

test('missing parts of a record do not erase known values', () => {
  sdk.session.signIn({ ...user, balanceSeq: null, current_balance: null, rank: null, referralCode: null });
  expect(record()).toMatchObject({ current_balance: 50, rank: 37, referralCode: 'K7M2QX9D' });
  sdk.session.merge(update({ username: undefined, balanceSeq: '101', current_balance: null }));
  expect(record()?.username).toBe(user.username);
  expect(sdk.session.balance.get()?.micro).toBe(50_000_000n);
});

describe('a record older than a known change', () => {
  const at = (time: string) => ({ serverTime: `2026-11-2${time}:00.000Z` });
  beforeEach(() => {
    sdk = createTestSdk({ user: { ...user, ...at('1T23:58'), tasks_completed: 3, daily_checkin_claimed: false } });
  });

  test('does not undo a claim, a completed task, the inviter or the badge', () => {
    sdk.session.merge(update({ comp_claim: true, tasks_completed: 4, referred_by: 'Old Salt' }));
    sdk.session.signIn({ ...user, comp_claim: false, tasks_completed: 3, referred_by: null });
    expect(record()).toMatchObject({ comp_claim: true, tasks_completed: 4, referred_by: 'Old Salt' });
    sdk.session.signIn({ ...user, tasks_completed: 5 });
    expect(record()?.tasks_completed).toBe(5);
    sdk.session.merge(update({ hasbadgeofhonor: true }));
    sdk.session.signIn({ ...user, hasbadgeofhonor: false });
    expect(record()?.hasbadgeofhonor).toBe(true);
  });

  test.each([
    ['of the same day', '1T23:59', '1T23:59', true],
    ['of the evening before a check-in at midnight', '2T00:01', '1T23:59', true],
    ['of the day after', '1T23:59', '2T00:01', false],
  ])('resets the check-in only on a later day: a record %s', (_, checkedIn, read, claimed) => {
    sdk.session.merge(update({ daily_checkin_claimed: true, ...at(checkedIn) }));
    sdk.session.signIn({ ...user, daily_checkin_claimed: false, ...at(read) });
    expect(record()?.daily_checkin_claimed).toBe(claimed);
    // A record of an earlier time does not set the record's time back.
    sdk.session.signIn({ ...user, daily_checkin_claimed: false, ...at('1T23:58') });
    expect(record()?.daily_checkin_claimed).toBe(claimed);
  });

  test('keeps today’s check-in open after a check-in of the day before', () => {
    sdk.session.merge(update({ ...at('2T00:01') }));
    sdk.session.merge(update({ daily_checkin_claimed: true, ...at('1T23:59') }));
    expect(record()?.daily_checkin_claimed).toBe(false);
    sdk.session.merge(update({ daily_checkin_claimed: true, ...at('2T00:02') }));
    expect(record()?.daily_checkin_claimed).toBe(true);
  });
});

test('an update for another user is ignored', () => {
  sdk.session.merge({ id: 'f'.repeat(32), balanceSeq: '500', current_balance: 9 });
  expect(record()?.current_balance).toBe(50);
  expect(sdk.sent).toEqual([]);
});

test('the tabs of a browser share balance, node and sign-out', () => {
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

test('the balance inside a node session applies, except an older one', () => {
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

test('a node session older than the known one is ignored', () => {
  const fresh = sampleMining({ earnings: 20, serverTime: new Date(SAMPLE_NOW_MS + 10_000).toISOString() });
  sdk.session.observeNode(fresh);
  sdk.session.observeNode(sampleMining({ earnings: 10 }));
  expect(sdk.session.node.get()?.earnings).toBe(20);
});

const at = (ms: number) => new Date(SAMPLE_NOW_MS + ms).toISOString();

test('a response from before the stop never brings the node back, in any tab', () => {
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

test('a read without a node from before the start does not stop the node', () => {
  const sentMs = SAMPLE_NOW_MS;
  sdk.session.observeNode(sampleMining({ serverTime: at(1_000) }));
  sdk.session.observeNode(null, { asOfMs: sentMs });
  expect(sdk.session.node.get()?.status).toBe('active');
  sdk.session.observeNode(null, { asOfMs: SAMPLE_NOW_MS + 1_500 });
  expect(sdk.session.node.get()).toBeNull();
});

test('a timestamp from a clock that was far ahead does not block later states', () => {
  sdk.session.observeNode(null, { asOfMs: SAMPLE_NOW_MS + 3_600_000 });
  sdk.session.observeNode(sampleMining());
  expect(sdk.session.node.get()?.status).toBe('active');
});

test('the sign-in of another user starts without the node and balance of the previous one', () => {
  sdk.session.observeNode(sampleMining());
  sdk.session.signIn(sampleUser({ id: 'f'.repeat(32), current_balance: 1, balanceSeq: '1' }));
  expect(sdk.session.node.get()).toBeUndefined();
  expect(sdk.session.balance.get()?.micro).toBe(1_000_000n);
});

test('a change of the node is this page’s own only if a press on this page changed its status', () => {
  sdk.session.observeNode(sampleMining(), { pressed: true });
  sdk.session.observeNode(sampleMining({ serverTime: at(1_000) }));
  expect(sdk.session.pressedHere()).toBe(true);
  sdk.receive({ kind: 'node', userId: user.id, session: null, asOfMs: SAMPLE_NOW_MS + 2_000 });
  expect(sdk.session.pressedHere()).toBe(false);
});

test('a fresh sign-in ends with its session', () => {
  sdk.session.signIn(user, { fresh: true });
  expect(sdk.session.takeFreshSignIn('mining')).toBe(true);
  sdk.session.signOut();
  sdk.session.signIn(user);
  expect(sdk.session.takeFreshSignIn('tasks')).toBe(false);
});
