import { expect, test, vi } from 'vitest';
import { run } from './in-process.ts';

/** A NATS with some dead letters, by place: 2 is unreadable, the message of any other is gone from its stream. */
const nats = {
  jsm: {
    streams: {
      getMessage: async (stream: string, { seq = 0 }: { seq?: number }) =>
        stream === 'CORD_DEAD' && seq in LETTERS ? letterAt(seq) : null,
    },
  },
  js: { consumers: { get: async () => CONSUMER } },
};
const GONE = JSON.stringify({
  ...{ v: 1, durable: 'auth', stream: 'CORD_REWARDS', streamSeq: 1, subject: 'cord.claim.v1.made.u', deliveries: 8 },
  ...{ reason: 'x', at: new Date(0).toISOString(), payload: '', complete: true },
});
const LETTERS: Record<number, string> = { 2: 'no letter', 3: GONE, 4: GONE };
const letterAt = (seq: number) => ({
  ...{ seq, subject: 'cord.dead.v1.auth.CORD_REWARDS.u', info: { pending: seq === 4 ? 0 : 1 } },
  string: () => LETTERS[seq] ?? '',
});
let pending: number[] = [];
const CONSUMER = {
  info: async () => ({ num_pending: pending.length }),
  fetch: async function* () {
    yield* pending.map(letterAt);
  },
};
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

test('a dead letter that cannot be retried stops no retry of the others', async () => {
  pending = [3, 4];
  const { status, stdout } = await run(['dead-letters', 'retry', '--all']);
  pending = [];
  expect(stdout).toMatch(/^3 {2}.* CORD_REWARDS has no message 1; .*\n4 {2}.* CORD_REWARDS has no message 1; /);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^0 of 2 dead letters handled$/m)]);
});

test('a retry of all without dead letters handles 0 and succeeds', async () => {
  const { status, stdout } = await run(['dead-letters', 'retry', '--all']);
  expect([status, stdout]).toEqual([0, '0 of 0 dead letters handled\n']);
});
