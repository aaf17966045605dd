import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { crowdSize } from '@cord/kit/testing/crowd-size';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { LEDGER_BOUNDS } from '../ledger/bounds.js';
import { eventually, type Fixture, MINUTE_MS, startFixture, type TestUser } from './fixture.js';
import { LEAST_BOUNDS } from './simulation/world-bounds.js';

/** Relays that give up after their first lost round, so that a burst need not be fast to make one give up. */
const ONE_ROUND = { relayRounds: 1 };
/** The smallest with which calls still wait for each other. */
const LEAST = { ...LEAST_BOUNDS, waiting: LEDGER_BOUNDS.waiting, dayLimits: LEDGER_BOUNDS.dayLimits };

/** Sixty starts and stops at once with claims among them, then a few calls one by one. @returns the started sessions */
async function burst(mining: Fixture, user: TestUser, claim: (n: number) => Promise<unknown>): Promise<Set<string>> {
  const sessions = new Set([(await user.start()).id]);
  await mining.clock.advance(MINUTE_MS);
  const act = async (n: number) => {
    const { status, body } = await user.call(n % 2 === 0 ? api.deactivate : api.activate, { replica: n >> 1 });
    if (status === 200 && body.session) sessions.add(body.session.id);
  };
  const acts = Array.from({ length: 60 }, async (_, n) => {
    await Promise.all([act(n), ...(n % 5 === 3 ? [claim(n)] : [])]);
  });
  await Promise.all(acts);
  for (let n = 0; n < 6; n += 1) await act(n);
  return sessions;
}

/** Every entry and every session is written, each once, and the entries sum to the balance. */
async function expectSettled(mining: Fixture, user: TestUser, sessions: Set<string>, claims: number): Promise<void> {
  // An outbox that is still full refuses the stop with 503, and the client tries again.
  await eventually(async () => {
    // A full outbox takes no write, so nothing relays it but the sweep, which goes by the clock.
    await mining.clock.advance(1_000);
    expect((await user.call(api.deactivate)).status).toBe(200);
  });
  await eventually(async () => {
    await mining.clock.advance(10_000);
    const account = await mining.stored.accounts.findOne({ _id: user.id });
    expect(account?.outbox).toEqual([]);
    expect(account?.dirtyAt).toBeUndefined();
  });
  const entries = await mining.stored.entries.find({ userId: user.id }).toArray();
  const account = await mining.stored.accounts.findOne({ _id: user.id });
  expect(entries.reduce((sum, entry) => sum + entry.amountMicro, 0n)).toBe(account?.balanceMicro);
  expect(entries.filter(({ source }) => source === 'task')).toHaveLength(claims);
  const ended = await mining.stored.sessions.find({ userId: user.id }).toArray();
  expect([...sessions].filter((id) => !ended.some(({ _id }) => _id === id))).toEqual([]);
}

const KINDS = [
  ['whose relays have one round', ONE_ROUND, 1],
  ['whose relays have one round, on two replicas', ONE_ROUND, 2],
  ['with every bound at its smallest, on two replicas', LEAST, 2],
] as const;

describe.each(KINDS.slice(-crowdSize(2, KINDS.length)))('a service %s', (_, bounds, replicas) => {
  const mining = forAllTests(() => startFixture({ bounds, replicas, env: { RATE_LIMIT_SCALE: '0' } }));

  test('keeps every entry of sixty concurrent starts and stops with claims among them, and pays no claim twice', async () => {
    for (let round = 0; round < crowdSize(1, 3); round += 1) {
      const user = await mining.newUser(3);
      const claims = new Set<number>();
      const claim = (n: number) => {
        claims.add(n);
        return eventually(() => mining.credit(user.id, 'task', `task:t${n}:${user.id}:once`, 5_000_000n));
      };
      const sessions = await burst(mining, user, claim);
      for (const n of claims) await claim(n);
      await expectSettled(mining, user, sessions, claims.size);
    }
    await mining.audit();
  });
});
