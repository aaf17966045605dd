// @vitest-environment jsdom
import {
  at,
  createTestSdk,
  offline,
  problem,
  SAMPLE_NOW_MS,
  sampleMining,
  sampleUser,
  type TestSdk,
} from '@cord/sdk/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settledAnswer } from '../mining.fixtures';
import { createSaver, type Saver } from './saver';

const { save, current } = at.mining;
const user = sampleUser({ balanceSeq: '100', current_balance: 50 });
let sdk: TestSdk;
let saver: Saver;
let letGo: () => void;

const iso = (ms: number) => new Date(ms).toISOString();
const saves = () => sdk.api.callsOf(save);
const failures = () => saver.state.get().failures;

beforeEach(() => {
  vi.useFakeTimers();
  sdk = createTestSdk({ user });
  saver = createSaver(sdk);
  letGo = saver.run();
});

afterEach(() => {
  letGo();
});

/** Advances the server's clock and the timers, second by second. */
async function pass(seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    sdk.clock.advance(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

function see(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

test('a running node is saved every ten seconds, and the balance follows the response', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(save, () => settledAnswer(sdk));
  await pass(31);
  expect(saves()).toHaveLength(3);
  expect(saves()[0]?.body).toEqual({ earningsToAdd: 0.320833, miningRate: 1.925 });
  expect(sdk.session.balance.get()?.micro).toBe(50_320_000n);
});

test('a tab without the lead does not save; a tab that gets the lead continues where the other stopped', async () => {
  sdk.api.on(save, () => settledAnswer(sdk));
  sdk.session.observeNode(sampleMining({ creditedUntil: iso(SAMPLE_NOW_MS) }));
  sdk.live.leading.set(false);
  await pass(60);
  expect(saves()).toHaveLength(0);
  const { session } = settledAnswer(sdk);
  sdk.receive({ kind: 'node', userId: user.id, session, asOfMs: sdk.clock.now() });
  sdk.live.leading.set(true);
  await pass(9);
  expect(saves()).toHaveLength(0);
  await pass(1);
  expect(saves()).toHaveLength(1);
});

test('earnings saved by another device are not saved again', async () => {
  sdk.api.on(save, () => settledAnswer(sdk));
  sdk.session.observeNode(sampleMining());
  for (let times = 0; times < 4; times += 1) {
    await pass(6);
    sdk.session.observeNode(settledAnswer(sdk).session);
  }
  expect(saves()).toHaveLength(0);
});

test('while no tab is visible, it saves at most once a minute', async () => {
  sdk.api.on(save, () => settledAnswer(sdk));
  sdk.session.observeNode(sampleMining());
  await pass(10);
  see('hidden');
  await pass(0);
  const atHiding = saves().length;
  await pass(300);
  expect(saves().length - atHiding).toBe(5);
});

test('an idle or paused node is never saved', async () => {
  sdk.session.observeNode(null);
  await pass(20);
  sdk.session.observeNode(sampleMining({ status: 'paused', leaseUntil: null, serverTime: iso(sdk.clock.now()) }));
  await pass(20);
  await saver.save({ forced: true });
  sdk.session.observeNode(sampleMining({ leaseUntil: iso(sdk.clock.now()), serverTime: iso(sdk.clock.now()) }));
  await pass(20);
  expect(sdk.api.calls).toEqual([]);
});

test('a failed save is retried with growing waits until it succeeds, and nothing is lost', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  await pass(10);
  const waits: number[] = [];
  for (let times = 0; times < 7; times += 1) {
    waits.push(saver.state.get().nextAtMs - sdk.clock.now());
    await pass((waits.at(-1) ?? 0) / 1_000);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(failures()).toBe(8);
  sdk.api.on(save, () => settledAnswer(sdk));
  await pass(30);
  expect(failures()).toBe(0);
  const { earningsToAdd } = (saves().at(-1)?.body ?? {}) as { earningsToAdd?: number };
  expect(earningsToAdd).toBeGreaterThan(4);
});

test('when the browser comes online, a failed save is retried at once', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  await pass(18);
  sdk.api.on(save, () => settledAnswer(sdk));
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(failures()).toBe(0);
});

test('while the server is unreachable nothing is sent; after a reconnect the missed time is saved at once', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  await pass(11);
  const before = saves().length;
  sdk.connection.lostAtMs.set(sdk.clock.now());
  await pass(60);
  expect(saves()).toHaveLength(before);
  sdk.api.on(save, () => settledAnswer(sdk));
  sdk.connection.lostAtMs.set(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(saves()).toHaveLength(before + 1);
  expect(failures()).toBe(0);
});

test('leaving the page saves at once with keepalive, in the leading tab only', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(save, () => settledAnswer(sdk));
  await pass(2);
  sdk.live.leading.set(false);
  see('hidden');
  await pass(0);
  expect(saves()).toHaveLength(0);
  sdk.live.leading.set(true);
  see('hidden');
  await pass(0);
  expect(saves()).toHaveLength(1);
  expect(saves()[0]?.keepalive).toBe(true);
});

test('save() saves only pending earnings; a forced save always does; neither needs the lead', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.live.leading.set(false);
  sdk.api.on(save, () => settledAnswer(sdk));
  await saver.save();
  expect(saves()).toHaveLength(0);
  await saver.save({ forced: true });
  expect(saves()).toHaveLength(1);
  await pass(1);
  await saver.save();
  expect(saves()).toHaveLength(2);
});

test('a session stopped elsewhere is dropped when a save gets 404', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, problem(404, 'Session not found', 'session-unknown'));
  sdk.api.on(current, null);
  await pass(10);
  expect(sdk.session.node.get()).toBeNull();
});

test('the failures of one session do not carry over to the next', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  await pass(11);
  expect(failures()).toBeGreaterThan(0);
  sdk.session.observeNode(sampleMining({ id: 'e'.repeat(32), serverTime: iso(sdk.clock.now()) }));
  expect(failures()).toBe(0);
});
