import { expect, test, vi } from 'vitest';
import { run } from './in-process.ts';

/** A NATS with a single, unreadable dead letter. */
const nats = {
  jsm: { streams: { getMessage: async (_stream: string, { seq }: { seq: number }) => (seq === 2 ? LETTER : null) } },
  js: { consumers: { get: async () => CONSUMER } },
};
const LETTER = { subject: 'cord.dead.v1.tasks.CORD_X.u', string: () => 'no letter' };
const CONSUMER = { info: async () => ({ num_pending: 0 }) };
vi.mock('../dev/starter/streams.ts', () => ({
  withSetup: (_dataDir: string, work: (of: typeof nats) => unknown) => work(nats),
}));

test.each([
  [['7'], /^7 {2}there is no dead letter 7$/m],
  [['2'], /^2 {2}dead letter 2 is malformed and cannot be retried$/m],
])('a dead letter that cannot be retried gives exit code 1: %j', async (args, message) => {
  const { status, stdout } = await run(['dead-letters', 'retry', ...args]);
  expect(stdout).toMatch(message);
  expect(stdout).toMatch(/^0 of 1 dead letters handled$/m);
  expect(status).toBe(1);
});

test('a retry of all without dead letters handles 0 and succeeds', async () => {
  const { status, stdout } = await run(['dead-letters', 'retry', '--all']);
  expect([status, stdout]).toEqual([0, '0 of 0 dead letters handled\n']);
});
