import { SAMPLE_NOW_MS as now, sampleMining } from '@cord/sdk/testing';
import { expect, test } from 'vitest';
import { FAILURES_UNTIL_ERROR, INITIAL, type NodeEvent, type NodeMachine, phaseOf, reduceNode } from './node-machine';

const TIMINGS = { intervalMs: 10_000, retryMs: 1_000, retryMostMs: 30_000 };
const session = sampleMining();

function after(...events: NodeEvent[]): NodeMachine {
  return events.reduce((state, event) => reduceNode(state, event, TIMINGS), INITIAL);
}

test('nothing is shown of a node before the server has told', () => {
  expect(phaseOf(INITIAL, undefined, now)).toBe('loading');
  expect(phaseOf(INITIAL, null, now)).toBe('idle');
  expect(phaseOf(INITIAL, session, now)).toBe('running');
});

test('a session that cannot be read is an error until any answer comes', () => {
  const failed = after({ type: 'load-failed', message: 'Failed to get current session' });
  expect(phaseOf(failed, undefined, now)).toBe('error');
  expect(phaseOf(failed, session, now)).toBe('running');
  expect(phaseOf(reduceNode(failed, { type: 'loaded' }, TIMINGS), undefined, now)).toBe('loading');
});

test('start goes through starting to running, and back to idle when it is refused', () => {
  const pressed = after({ type: 'start-pressed' });
  expect(phaseOf(pressed, null, now)).toBe('starting');
  expect(phaseOf(pressed, session, now)).toBe('starting');
  expect(phaseOf(reduceNode(pressed, { type: 'started', nowMs: now }, TIMINGS), session, now)).toBe('running');
  expect(phaseOf(reduceNode(pressed, { type: 'action-failed' }, TIMINGS), null, now)).toBe('idle');
});

test('stop goes through stopping to idle, and back to running when it is refused', () => {
  const pressed = after({ type: 'stop-pressed' });
  expect(phaseOf(pressed, session, now)).toBe('stopping');
  expect(phaseOf(reduceNode(pressed, { type: 'stopped' }, TIMINGS), null, now)).toBe('idle');
  expect(phaseOf(reduceNode(pressed, { type: 'action-failed' }, TIMINGS), session, now)).toBe('running');
});

test('a second press changes nothing while the first is under way', () => {
  const starting = after({ type: 'start-pressed' });
  expect(reduceNode(starting, { type: 'stop-pressed' }, TIMINGS)).toBe(starting);
  expect(reduceNode(starting, { type: 'start-pressed' }, TIMINGS)).toBe(starting);
});

test('a node whose lease is over is paused, whether the server has said so or not', () => {
  const paused = sampleMining({ status: 'paused', leaseUntil: null });
  const asleep = sampleMining({ leaseUntil: new Date(now - 1).toISOString() });
  expect(phaseOf(INITIAL, paused, now)).toBe('paused');
  expect(phaseOf(INITIAL, asleep, now)).toBe('paused');
});

test('saves come every interval; failed ones are tried again with growing patience and never given up', () => {
  let state = after({ type: 'saved', nowMs: now });
  expect(state.save.nextAtMs).toBe(now + 10_000);
  const waits = Array.from({ length: 8 }, () => {
    state = reduceNode(state, { type: 'save-failed', nowMs: now }, TIMINGS);
    return state.save.nextAtMs - now;
  });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('one failed save leaves the node running; several show the last saved number; one success mends it', () => {
  let state = INITIAL;
  for (let failures = 1; failures <= FAILURES_UNTIL_ERROR; failures += 1) {
    expect(phaseOf(state, session, now)).toBe('running');
    state = reduceNode(state, { type: 'save-failed', nowMs: now }, TIMINGS);
  }
  expect(phaseOf(state, session, now)).toBe('error');
  state = reduceNode(state, { type: 'saved', nowMs: now }, TIMINGS);
  expect(phaseOf(state, session, now)).toBe('running');
  expect(state.save.failures).toBe(0);
});
