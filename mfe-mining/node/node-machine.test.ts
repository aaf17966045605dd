import type { MiningSession } from '@cord/contracts/http/mining';
import { SAMPLE_NOW_MS as now, sampleMining } from '@cord/sdk/testing';
import { expect, test } from 'vitest';
import { FAILURES_UNTIL_ERROR, INITIAL, type NodeEvent, type NodeMachine, phaseOf, reduceNode } from './node-machine';

const session = sampleMining();

function after(...events: NodeEvent[]): NodeMachine {
  return events.reduce((state, event) => reduceNode(state, event), INITIAL);
}

const shown = (machine: NodeMachine, known: MiningSession | null | undefined, failures = 0) =>
  phaseOf({ machine, session: known, failures, nowMs: now });

test('the node is loading until the server responds', () => {
  expect(shown(INITIAL, undefined)).toBe('loading');
  expect(shown(INITIAL, null)).toBe('idle');
  expect(shown(INITIAL, session)).toBe('running');
});

test('a session that cannot be read is an error until any response arrives', () => {
  const failed = after({ type: 'load-failed', message: 'Failed to get current session' });
  expect(shown(failed, undefined)).toBe('error');
  expect(shown(failed, session)).toBe('running');
  expect(shown(reduceNode(failed, { type: 'loaded' }), undefined)).toBe('loading');
});

test('a node after its lease is paused, with or without a response of the server', () => {
  const paused = sampleMining({ status: 'paused', leaseUntil: null });
  const asleep = sampleMining({ leaseUntil: new Date(now - 1).toISOString() });
  expect(shown(INITIAL, paused)).toBe('paused');
  expect(shown(INITIAL, asleep)).toBe('paused');
});

test('one failed save leaves the node running; several put it into error', () => {
  expect(shown(INITIAL, session, FAILURES_UNTIL_ERROR - 1)).toBe('running');
  expect(shown(INITIAL, session, FAILURES_UNTIL_ERROR)).toBe('error');
});
