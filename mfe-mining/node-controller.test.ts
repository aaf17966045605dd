// @vitest-environment jsdom
import { type MiningSession, miningEndpoints } from '@cord/contracts/http/mining';
import {
  createTestSdk,
  offline,
  problem,
  SAMPLE_NOW_MS,
  sampleMining,
  sampleUser,
  type TestSdk,
} from '@cord/sdk/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type NodeController, nodeController } from './node-controller';
import { phaseOf } from './node-machine';

const { start, end, save, current } = miningEndpoints;
const user = sampleUser({ balanceSeq: '100', current_balance: 50 });
let sdk: TestSdk;
let node: NodeController;
let detach: () => void;

const iso = (ms: number) => new Date(ms).toISOString();
const phase = () => phaseOf(node.machine.get(), sdk.session.node.get(), sdk.clock.now());

/** The answer of a save or an end: everything up to now credited. */
function settled(changes: Partial<MiningSession> = {}) {
  const nowMs = sdk.clock.now();
  return {
    success: true as const,
    credited: 0.32,
    newBalance: 50.32,
    updatedUser: { id: user.id, balanceSeq: '101', current_balance: 50.32 },
    session: sampleMining({ earnings: 419.65, creditedUntil: iso(nowMs), serverTime: iso(nowMs), ...changes }),
    rateUntil: null,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  sdk = createTestSdk({ user });
  node = nodeController(sdk);
  detach = node.attach();
});

afterEach(() => {
  detach();
  vi.useRealTimers();
});

/** Time passes for the server's clock and for timers. */
async function pass(ms: number) {
  sdk.clock.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
}

test('starting takes a second and a half, then the node runs and says what it earns', async () => {
  sdk.api.on(start, sampleMining({ earnings: 0 }));
  sdk.session.observeNode(null);
  const started = node.start();
  await vi.advanceTimersByTimeAsync(1_400);
  expect(phase()).toBe('starting');
  expect(sdk.shown).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  await started;
  expect(phase()).toBe('running');
  expect(sdk.shown).toEqual([
    { kind: 'success', title: 'Mining Node Started!', text: 'Earning 1.925000 CORD/min', durationMs: 4_000 },
  ]);
});

test('a second press while starting starts nothing more', async () => {
  sdk.api.on(start, sampleMining());
  sdk.session.observeNode(null);
  const both = Promise.all([node.start(), node.start()]);
  await vi.advanceTimersByTimeAsync(1_500);
  await both;
  expect(sdk.api.callsOf(start)).toHaveLength(1);
});

test.each([
  [problem(500, 'Failed to start mining'), 'Failed to start mining'],
  [Object.assign(problem(500, ''), { message: '' }), 'Unknown error'],
])('a failed start says so and leaves the node as it was', async (error, text) => {
  sdk.api.fail(start, error);
  sdk.session.observeNode(null);
  const done = node.start();
  await vi.advanceTimersByTimeAsync(1_500);
  await done;
  expect(phase()).toBe('idle');
  expect(sdk.shown).toEqual([{ kind: 'error', title: 'Failed to Start Node', text, durationMs: 4_000 }]);
});

test('a lost answer to a start is asked for again, with the same key', async () => {
  let lost = true;
  sdk.api.on(start, () => {
    if (!lost) return sampleMining();
    lost = false;
    throw offline();
  });
  sdk.session.observeNode(null);
  const done = node.start();
  await vi.advanceTimersByTimeAsync(1_500);
  await done;
  expect(phase()).toBe('running');
  expect(sdk.shown.map(({ title }) => title)).toEqual(['Mining Node Started!']);
  const keys = sdk.api.callsOf(start).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('a start whose answers are all lost is seen at the node itself', async () => {
  sdk.api.fail(start, offline());
  sdk.api.on(current, sampleMining());
  sdk.session.observeNode(null);
  const done = node.start();
  await vi.advanceTimersByTimeAsync(1_500);
  await done;
  expect(phase()).toBe('running');
  expect(sdk.shown.map(({ title }) => title)).toEqual(['Mining Node Started!']);
});

test('two starts are two: the second is never answered with the session of the first', async () => {
  sdk.api.fail(start, offline());
  sdk.session.observeNode(null);
  for (let press = 0; press < 2; press += 1) {
    const done = node.start();
    await vi.advanceTimersByTimeAsync(1_500);
    await done;
  }
  expect(new Set(sdk.api.callsOf(start).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

test('a stop whose answer was lost is seen at the node itself', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(end, offline());
  sdk.api.on(current, null);
  await pass(1_000);
  await node.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(phase()).toBe('idle');
});

test('stopping ends the session and says what it earned, with two decimals, cut', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(end, () => settled({ status: 'ended', earnings: 419.659999, endedAt: iso(sdk.clock.now()) }));
  await pass(3_000);
  await node.stop();
  expect(phase()).toBe('idle');
  expect(sdk.shown).toEqual([
    { kind: 'success', title: 'Mining Node Stopped', text: 'Session earned: 419.65 CORD', durationMs: 4_000 },
  ]);
  expect(sdk.session.state.get().user?.current_balance).toBe(50.32);
  expect(sdk.api.callsOf(end)[0]?.body).toEqual({ finalEarnings: 0.09625 });
});

test('a failed stop says so and the node goes on', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(end, offline());
  await node.stop();
  expect(phase()).toBe('running');
  expect(sdk.shown).toEqual([
    { kind: 'error', title: 'Error Stopping Node', text: 'Please try again', durationMs: 4_000 },
  ]);
});

test('while the node runs, it is saved every ten seconds and the balance follows the answer', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(save, () => settled());
  for (let second = 0; second < 31; second += 1) await pass(1_000);
  expect(sdk.api.callsOf(save)).toHaveLength(3);
  expect(sdk.api.callsOf(save)[0]?.body).toEqual({ earningsToAdd: 0.320833, miningRate: 1.925 });
  expect(sdk.session.balance.get()?.micro).toBe(50_320_000n);
});

test('on the app’s other tabs a running node is saved too, until it stands still', async () => {
  sdk.api.on(save, () => settled());
  sdk.session.observeNode(sampleMining({ creditedUntil: iso(SAMPLE_NOW_MS) }));
  detach();
  await pass(11_000);
  await pass(11_000);
  expect(sdk.api.callsOf(save)).toHaveLength(2);
  sdk.session.observeNode(null);
  await pass(1_000);
  sdk.session.observeNode(sampleMining({ creditedUntil: iso(sdk.clock.now()), serverTime: iso(sdk.clock.now()) }));
  await pass(20_000);
  expect(sdk.api.callsOf(save)).toHaveLength(2);
  detach = node.attach();
  await pass(20_000);
  expect(sdk.api.callsOf(save).length).toBeGreaterThan(2);
});

test('an idle or paused node is never saved', async () => {
  sdk.session.observeNode(null);
  await pass(20_000);
  sdk.session.observeNode(sampleMining({ status: 'paused', leaseUntil: null, serverTime: iso(sdk.clock.now()) }));
  await pass(20_000);
  await node.save({ forced: true });
  expect(sdk.api.calls).toEqual([]);
});

test('a failed save is tried again by itself until it goes through, and nothing is lost', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  for (let second = 0; second < 18; second += 1) await pass(1_000);
  expect(sdk.api.callsOf(save)).toHaveLength(4);
  expect(phase()).toBe('error');
  sdk.api.on(save, () => settled());
  for (let second = 0; second < 8; second += 1) await pass(1_000);
  expect(phase()).toBe('running');
  const sent = sdk.api.callsOf(save).at(-1)?.body as { earningsToAdd: number };
  expect(sent.earningsToAdd).toBeGreaterThan(0.7);
});

test('when the network comes back a failed save is made at once, whatever its wait', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  for (let second = 0; second < 18; second += 1) await pass(1_000);
  sdk.api.on(save, () => settled());
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(phase()).toBe('running');
});

test('while the server is out of reach nothing is sent; when it is back, what was missed is saved at once', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, offline());
  for (let second = 0; second < 11; second += 1) await pass(1_000);
  const before = sdk.api.callsOf(save).length;
  sdk.connection.lostAtMs.set(sdk.clock.now());
  for (let second = 0; second < 60; second += 1) await pass(1_000);
  expect(sdk.api.callsOf(save)).toHaveLength(before);
  expect(phase()).toBe('running');
  sdk.api.on(save, () => settled());
  sdk.connection.lostAtMs.set(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(sdk.api.callsOf(save)).toHaveLength(before + 1);
  expect(phase()).toBe('running');
});

test('leaving the page saves at once, in a request that outlives it', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(save, () => settled());
  await pass(2_000);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(sdk.api.callsOf(save)).toHaveLength(1);
  expect(sdk.api.callsOf(save)[0]?.keepalive).toBe(true);
});

test('by hand it saves only when something is pending; a forced save is made in any case', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(save, () => settled());
  await node.save();
  expect(sdk.api.callsOf(save)).toHaveLength(0);
  await node.save({ forced: true });
  expect(sdk.api.callsOf(save)).toHaveLength(1);
  await pass(1_000);
  await node.save();
  expect(sdk.api.callsOf(save)).toHaveLength(2);
});

test('waking after nine hours shows what the lease allowed, and the save tells that the node is paused', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(current, () => sampleMining({ status: 'paused', leaseUntil: null, serverTime: iso(sdk.clock.now()) }));
  sdk.clock.advance(9 * 3_600_000);
  expect(phase()).toBe('paused');
  await node.reload();
  expect(phase()).toBe('paused');
  expect(sdk.session.node.get()?.status).toBe('paused');
});

test('a session that was stopped elsewhere is let go when a save finds it gone', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(save, problem(404, 'Session not found', 'session-unknown'));
  sdk.api.on(current, null);
  await pass(10_000);
  expect(phase()).toBe('idle');
});

test('what another tab starts or stops shows here', () => {
  sdk.session.observeNode(null);
  expect(phase()).toBe('idle');
  sdk.hear({ kind: 'node', userId: user.id, session: sampleMining(), asOfMs: SAMPLE_NOW_MS });
  expect(phase()).toBe('running');
  sdk.hear({ kind: 'node', userId: user.id, session: null, asOfMs: sdk.clock.now() });
  expect(phase()).toBe('idle');
});

test('on load the running session is restored; an unreadable one is an error with its text', async () => {
  sdk.api.fail(current, problem(500, 'Failed to get current session'));
  await node.reload();
  expect(phase()).toBe('error');
  expect(node.machine.get().loadError).toBe('Failed to get current session');
  sdk.api.on(current, sampleMining({ serverTime: iso(SAMPLE_NOW_MS) }));
  await node.reload();
  expect(phase()).toBe('running');
});
