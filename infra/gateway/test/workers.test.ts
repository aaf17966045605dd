import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { createLogger } from '@cord/kit/log';
import { afterEach, expect, test, vi } from 'vitest';
import { superviseGateways } from '../workers.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));

afterEach(() => {
  vi.restoreAllMocks();
  for (const [index, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal))
      if (!before[index]?.includes(listener)) process.off(signal, listener);
});

/** Leads one gateway, with a fork that starts nothing. */
function lead(pid: number | undefined) {
  const forked: EventEmitter[] = [];
  vi.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = Object.assign(new EventEmitter(), { process: { pid } });
    forked.push(worker);
    return worker as unknown as Worker;
  });
  superviseGateways([9101], createLogger('test', 'silent'), 1_000);
  return forked;
}

test('an error of a gateway that has just ended does not end the leading process, and the gateway is restarted', async () => {
  const forked = lead(7);
  const [first] = forked as [EventEmitter];
  first.emit('listening');
  for (let times = 0; times < 2; times += 1) first.emit('error', Object.assign(new Error('write'), { code: 'EPIPE' }));
  expect(forked).toHaveLength(1);
  first.emit('exit', 1);
  await expect.poll(() => forked.length).toBe(2);
});

test('a gateway that could not be restarted is started later', async () => {
  const forked = lead(undefined);
  const [first] = forked as [EventEmitter];
  first.emit('listening');
  first.emit('error', Object.assign(new Error('spawn'), { code: 'EAGAIN' }));
  await expect.poll(() => forked.length).toBe(2);
});
