// @vitest-environment jsdom
import { at, createTestSdk, offline, problem, sampleMining, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { beforeEach, expect, test, vi } from 'vitest';
import { settledAnswer } from '../mining.fixtures';
import { type NodeController, nodeController } from './node-controller';
import { phaseOf } from './node-machine';

const { start, end, current } = at.mining;
const user = sampleUser({ balanceSeq: '100', current_balance: 50 });
let sdk: TestSdk;
let node: NodeController;

const iso = (ms: number) => new Date(ms).toISOString();
const phase = () =>
  phaseOf({ machine: node.machine.get(), session: sdk.session.node.get(), failures: 0, nowMs: sdk.clock.now() });

beforeEach(() => {
  vi.useFakeTimers();
  sdk = createTestSdk({ user });
  node = nodeController(sdk);
});

/** Advances the server's clock and the timers. */
async function pass(ms: number) {
  sdk.clock.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
}

test('a start takes 1.5 s, then the node runs, with its rate in a toast', async () => {
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

test('a second press while starting sends nothing more and has the same result', async () => {
  sdk.api.on(start, sampleMining());
  sdk.session.observeNode(null);
  const both = Promise.all([node.start(), node.start()]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await both).toEqual([true, true]);
  expect(sdk.api.callsOf(start)).toHaveLength(1);
});

test('while a stop is in progress, further presses have no effect', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(end, () => settledAnswer(sdk, { status: 'ended', earnings: 1, endedAt: iso(sdk.clock.now()) }));
  const stopped = Promise.all([node.stop(), node.stop()]);
  expect(phase()).toBe('stopping');
  expect(await node.start()).toBe(false);
  await stopped;
  expect(phase()).toBe('idle');
  expect(sdk.shown).toHaveLength(1);
});

test.each([
  ['is answered', () => sdk.api.on(start, sampleMining())],
  [
    'is refused',
    () =>
      sdk.api.on(
        start,
        () => new Promise((_, reject) => setTimeout(() => reject(problem(500, 'Failed to start mining')), 1_400)),
      ),
  ],
])('a start that %s after the next user has signed in does not affect them', async (_how, answer) => {
  answer();
  sdk.session.observeNode(null);
  const started = node.start();
  await vi.advanceTimersByTimeAsync(1_000);
  sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) }));
  sdk.session.observeNode(null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await started).toBe(false);
  expect([phase(), sdk.session.node.get(), sdk.shown]).toEqual(['idle', null, []]);
});

test.each([
  [problem(500, 'Failed to start mining'), 'Failed to start mining'],
  [Object.assign(problem(500, ''), { message: '' }), 'Unknown error'],
])('a failed start shows its error and leaves the node as it was', async (error, text) => {
  sdk.api.fail(start, error);
  sdk.session.observeNode(null);
  const done = node.start();
  await vi.advanceTimersByTimeAsync(1_500);
  await done;
  expect(phase()).toBe('idle');
  expect(sdk.shown).toEqual([{ kind: 'error', title: 'Failed to Start Node', text, durationMs: 4_000 }]);
});

test('a start with only lost responses is confirmed by reading the node', async () => {
  sdk.api.fail(start, offline());
  sdk.api.on(current, sampleMining());
  sdk.session.observeNode(null);
  const done = node.start();
  await vi.advanceTimersByTimeAsync(1_500);
  await done;
  expect(phase()).toBe('running');
  expect(sdk.shown.map(({ title }) => title)).toEqual(['Mining Node Started!']);
});

test('each start has its own idempotency key, even after a lost response', async () => {
  sdk.api.fail(start, offline());
  sdk.session.observeNode(null);
  for (let press = 0; press < 2; press += 1) {
    const done = node.start();
    await vi.advanceTimersByTimeAsync(1_500);
    await done;
  }
  expect(new Set(sdk.api.callsOf(start).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

test('a stop with a lost response is confirmed by reading the node', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(end, offline());
  sdk.api.on(current, null);
  await pass(1_000);
  await node.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(phase()).toBe('idle');
});

test('a stop ends the session and shows its earnings, truncated to two decimals', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.on(end, () => settledAnswer(sdk, { status: 'ended', earnings: 419.659999, endedAt: iso(sdk.clock.now()) }));
  await pass(3_000);
  await node.stop();
  expect(phase()).toBe('idle');
  expect(sdk.shown).toEqual([
    { kind: 'success', title: 'Mining Node Stopped', text: 'Session earned: 419.65 CORD', durationMs: 4_000 },
  ]);
  expect(sdk.session.state.get().user?.current_balance).toBe(50.32);
  expect(sdk.api.callsOf(end)[0]?.body).toEqual({ finalEarnings: 0.09625 });
});

test('a failed stop shows an error, and the node keeps running', async () => {
  sdk.session.observeNode(sampleMining());
  sdk.api.fail(end, offline());
  await node.stop();
  expect(phase()).toBe('running');
  expect(sdk.shown).toEqual([
    { kind: 'error', title: 'Error Stopping Node', text: 'Please try again', durationMs: 4_000 },
  ]);
});
