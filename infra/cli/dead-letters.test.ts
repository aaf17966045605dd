import { expect, test, vi } from 'vitest';
import { run } from './in-process.ts';

/** A NATS with some dead letters, by place: 2 is unreadable, the message of any other is gone from its stream. */
const nats = {
  jsm: {
    streams: {
      info: async () => ({ state: { last_seq: Math.max(0, ...pending) } }),
      getMessage: async (stream: string, { seq = 0, next_by_subj: next }: { seq?: number; next_by_subj?: string }) => {
        if (stream !== 'CORD_DEAD') return null;
        const place = next ? pending.find((one) => one >= seq) : seq;
        return place === undefined || (place === 7 && !next) ? null : letterAt(place);
      },
    },
  },
};
const GONE = JSON.stringify({
  ...{ v: 1, durable: 'auth', stream: 'CORD_REWARDS', streamSeq: 1, subject: 'cord.claim.v1.made.u', deliveries: 8 },
  ...{ reason: 'x', at: new Date(0).toISOString(), payload: '', complete: true },
});
const letterAt = (seq: number) => ({
  ...{ seq, subject: 'cord.dead.v1.auth.CORD_REWARDS.u' },
  string: () => (seq === 2 ? 'no letter' : GONE),
});
let pending: number[] = [];
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

test('a retry of all reaches every dead letter, beyond those that list shows, and the unreadable ones', async () => {
  pending = Array.from({ length: 1_001 }, (_, index) => index + 2);
  const { status, stdout } = await run(['dead-letters', 'retry', '--all']);
  pending = [];
  expect(stdout).toMatch(/^2 {2}dead letter 2 is malformed and cannot be retried$/m);
  expect([status, stdout.split('\n').at(-2)]).toEqual([1, '0 of 1001 dead letters handled']);
});

test('a retry of all without dead letters handles 0 and succeeds', async () => {
  const { status, stdout } = await run(['dead-letters', 'retry', '--all']);
  expect([status, stdout]).toEqual([0, '0 of 0 dead letters handled\n']);
});
