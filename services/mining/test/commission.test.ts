import { miningEndpoints } from '@cord/contracts/http/mining';
import { accrueCommissionRpc, COMMISSION_STEP_MICRO, EARNINGS_MAX, earningsRpc } from '@cord/contracts/rpc/ledger';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { eventually, HOUR_MS, MINUTE_MS, startFixture } from './fixture.js';

const mining = forAllTests(() => startFixture());

const CORD = 1_000_000n;

async function report(userId: string, totalMicro: bigint) {
  return mining.backend.nats.request(
    accrueCommissionRpc,
    { userId, totalMicro: String(totalMicro) },
    { timeoutMs: 15_000 },
  );
}

const entriesOf = (userId: string) => mining.stored.entries.find({ userId }).sort({ seq: 1 }).toArray();

describe('commission reported as a rising total', () => {
  test('is shown as open, and becomes one entry an hour, even without a node', async () => {
    const user = await mining.newUser();
    await report(user.id, 3n * CORD);
    await mining.clock.advance(MINUTE_MS);
    await report(user.id, 4n * CORD);
    const { body } = await user.call(miningEndpoints.ledger, { query: {} });
    expect(body).toMatchObject({ open: 4, entries: [] });
    const hourMs = Math.floor(mining.clock.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
    await mining.clock.advance(hourMs - mining.clock.now() + MINUTE_MS);
    await eventually(async () => {
      const entries = await entriesOf(user.id);
      expect(entries).toMatchObject([
        { source: 'commission', amountMicro: 4n * CORD, atMs: hourMs - 1, reason: 'Referral commission' },
      ]);
    });
    expect((await user.call(miningEndpoints.ledger, { query: {} })).body.open).toBe(0);
    await mining.audit();
  });

  test('rises by at most its limit per step, and by the rest when reported again', async () => {
    const user = await mining.newUser();
    const most = COMMISSION_STEP_MICRO;
    expect(await report(user.id, most + 5n)).toMatchObject({ totalMicro: String(most) });
    expect(await report(user.id, most + 5n)).toMatchObject({ totalMicro: String(most + 5n) });
  });
});

test('the earnings of a source since a time include entries, waiting entries and the open amount', async () => {
  const user = await mining.newUser();
  const sources: ('commission' | 'refwelcome')[] = ['commission', 'refwelcome'];
  const earned = async (sinceMs = 0) =>
    (await mining.backend.nats.request(earningsRpc, { userId: user.id, sources, sinceMs })).earnings;
  expect(await earned()).toEqual([]);
  const firstMs = mining.clock.now();
  await report(user.id, 3n * CORD);
  expect(await earned()).toEqual([{ at: firstMs, source: 'commission', amountMicro: '3000000' }]);
  const hourMs = Math.floor(firstMs / HOUR_MS) * HOUR_MS + HOUR_MS;
  await mining.clock.advance(hourMs - firstMs + MINUTE_MS);
  await mining.credit(user.id, 'task', `task:b:${user.id}:once`, CORD);
  await report(user.id, 5n * CORD);
  const nowMs = mining.clock.now();
  expect(await earned()).toEqual([
    { at: nowMs, source: 'commission', amountMicro: '2000000' },
    { at: hourMs - 1, source: 'commission', amountMicro: '3000000' },
  ]);
  expect(await earned(hourMs)).toEqual([{ at: nowMs, source: 'commission', amountMicro: '2000000' }]);
  const unknown = await mining.backend.nats.request(earningsRpc, { userId: 'a'.repeat(32), sources, sinceMs: 0 });
  expect(unknown.earnings).toEqual([]);
});

test('the total of a span includes all earnings in it, however few are listed', async () => {
  const user = await mining.newUser();
  const startMs = mining.clock.now();
  await report(user.id, 3n * CORD);
  const [DAY_MS, count] = [24 * HOUR_MS, EARNINGS_MAX + 60];
  // As the relay writes them: 86 CORD for each of many friends, all of one day.
  const entries = Array.from({ length: count }, (_, n) => ({
    _id: `refwelcome:${user.id}:${n}`,
    userId: user.id,
    seq: BigInt(n - count),
    ...{ n: n + 1, facts: '', hash: `made up ${n}` },
    source: 'refwelcome' as const,
    amountMicro: 86n * CORD,
    balanceMicro: 0n,
    atMs: startMs - DAY_MS + n,
    reason: '',
  }));
  await mining.stored.entries.insertMany(entries as never);
  const earnedSince = (sinceMs: number) =>
    mining.backend.nats.request(earningsRpc, { userId: user.id, sources: ['commission', 'refwelcome'], sinceMs });
  const all = await earnedSince(startMs - DAY_MS);
  expect(all.earnings).toHaveLength(EARNINGS_MAX);
  expect(BigInt(all.totalMicro ?? 0)).toBe(BigInt(count) * 86n * CORD + 3n * CORD);
  expect((await earnedSince(startMs - DAY_MS + count - 2)).totalMicro).toBe((2n * 86n * CORD + 3n * CORD).toString());
  // Of all time the account itself has it, in which these entries are not.
  expect((await earnedSince(0)).totalMicro).toBe((3n * CORD).toString());
  await mining.stored.entries.deleteMany({ userId: user.id, source: 'refwelcome' });
});

test('mining of a running node that is in no entry yet counts for its week', async () => {
  const monday = Date.UTC(2026, 10, 23);
  await mining.clock.advance(monday - 2 * HOUR_MS - mining.clock.now());
  const user = await mining.newUser();
  await user.start();
  // The page is closed: nothing is written until the end of the lease.
  await mining.clock.advance(3 * HOUR_MS);
  const minedSince = async (sinceMs: number) =>
    BigInt(
      (await mining.backend.nats.request(earningsRpc, { userId: user.id, sources: ['mining'], sinceMs })).totalMicro,
    );
  const ofWeek = (await minedSince(monday - 2 * HOUR_MS)) - (await minedSince(monday));
  expect([ofWeek, await mining.balanceMicro(user.id)]).toEqual([60n * CORD, 90n * CORD]);
});
