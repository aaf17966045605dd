import { miningEndpoints as api, EARNINGS_RANGES, type EarningsRange } from '@cord/contracts/http/mining';
import { overviewEndpoints as overview } from '@cord/contracts/http/overview';
import { runningRpc } from '@cord/contracts/rpc/ledger';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually, HOUR_MS, NOON_MS, startFixture, type TestUser } from './fixture.js';

const CORD = 1_000_000n;
const DAYS = 5;

const mining = forAllTests(() => startFixture());
let user: TestUser;
beforeAll(async () => {
  user = await mining.newUser(2);
  await liveThrough(user);
});

/** Days with a node for some hours, claims, tasks, a check-in; a day on which nothing happens; today a bit of each. */
async function liveThrough({ id, start, save, call }: TestUser): Promise<void> {
  await mining.credit(id, 'welcome', `welcome:${id}`, 200n * CORD, 'auth');
  await mining.credit(id, 'compensation', `compensation:${id}`, 1_800n * CORD, 'rewards');
  for (let day = 0; day < DAYS; day += 1) {
    if (day !== 2) {
      const session = await start();
      for (let hour = 0; hour < 3 + day; hour += 1) {
        await mining.clock.advance(HOUR_MS + day * 1_234);
        await save(session.id);
      }
      await mining.credit(id, 'task', `task:a${day}:${id}:once`, BigInt(day + 1) * CORD + 7n);
      await mining.credit(id, 'checkin', `checkin:${id}:${dayKey(mining.clock.now())}`, 55n * CORD);
      // The node of the last evening but one runs past midnight.
      if (day !== DAYS - 2) await call(api.deactivate);
    }
    const untilNoonMs = DAY_MS - ((mining.clock.now() - DAY_MS / 2) % DAY_MS);
    for (let leftMs = untilNoonMs; leftMs > 0; leftMs -= 6 * HOUR_MS) {
      await mining.clock.advance(Math.min(leftMs, 6 * HOUR_MS));
      if (day === DAYS - 2) await call(api.current);
    }
  }
  // Of the last day nothing came after: the account holds it still.
  await eventually(async () => expect(await mining.stored.days.countDocuments({ userId: id })).toBe(DAYS - 2));
}

async function earningsOf(range: EarningsRange) {
  const { status, body } = await user.call(api.earnings, { query: { range } });
  expect(status).toBe(200);
  return body;
}

/** Entries and what is open, by UTC day, CORD. */
async function byEntries(): Promise<Map<string, number>> {
  const sums = new Map<string, bigint>();
  const add = (atMs: number, micro: bigint) => sums.set(dayKey(atMs), (sums.get(dayKey(atMs)) ?? 0n) + micro);
  for (const entry of await mining.stored.entries.find({ userId: user.id }).toArray())
    add(entry.atMs, entry.amountMicro);
  const account = await mining.stored.accounts.findOne({ _id: user.id });
  if (account?.open.amountMicro) add(account.open.sinceMs, account.open.amountMicro);
  return new Map([...sums].map(([key, micro]) => [key, microToNumber(micro)]));
}

describe('GET /users/{id}/earnings', () => {
  test('returns each day as the sum of its entries, and total_earned as the sum of all time', async () => {
    await user.call(api.current);
    const entries = await byEntries();
    for (const range of EARNINGS_RANGES) {
      const { buckets, total, unit } = await earningsOf(range);
      const { totals } = (await mining.stored.accounts.findOne({ _id: user.id }))!;
      expect(total).toBe(microToNumber(totals.allMicro));
      if (unit === 'month') continue;
      const shown = buckets.filter((bucket) => bucket.total > 0).map((bucket) => [bucket.key, bucket.total]);
      expect(new Map(shown as [string, number][])).toEqual(entries);
    }
  });

  test('reports sources, claims, node time, the best day and the average', async () => {
    const { buckets, best, average, total } = await earningsOf('7d');
    expect(buckets).toHaveLength(7);
    const [first] = buckets.filter((bucket) => bucket.total > 0);
    expect(first).toMatchObject({ claims: 2_000, checkin: 55, tasks: 1.000007, ranMs: 3 * HOUR_MS });
    expect(first).toMatchObject({ claimsBy: { welcome: 200, compensation: 1_800 }, tasksClaimed: 1 });
    expect(buckets.map(({ tasksClaimed }) => tasksClaimed)).toEqual(buckets.map(({ tasks }) => (tasks > 0 ? 1 : 0)));
    const [month] = (await earningsOf('12m')).buckets.filter(({ claims }) => claims > 0);
    expect(month).toMatchObject({ claimsBy: { welcome: 200, compensation: 1_800 } });
    expect(month).not.toHaveProperty('tasksClaimed');
    expect(best).toEqual({ key: first?.key, total: first?.total });
    expect(average).toBeCloseTo(total / (DAYS + 1), 5);
  });

  test('includes open amounts without a save', async () => {
    const before = await earningsOf('7d');
    await user.start();
    await mining.clock.advance(HOUR_MS / 2);
    const after = await earningsOf('7d');
    expect(after.total).toBeGreaterThan(before.total);
    expect(after.buckets.at(-1)?.ranMs).toBe((before.buckets.at(-1)?.ranMs ?? 0) + HOUR_MS / 2);
  });

  test('gives operators the sums of all accounts, by the same days and sources', async () => {
    const other = await mining.newUser(9);
    await mining.credit(other.id, 'compensation', `compensation:${other.id}`, 5_000n * CORD, 'rewards');
    await user.call(api.current);
    expect((await user.call(overview.issued, { query: { range: '30d' } })).status).toBe(403);
    await mining.signer.state.setRoles(user.id, ['admin']);
    const { body: issued } = await user.call(overview.issued, { query: { range: '30d' } });
    const own = await earningsOf('30d');
    const today = own.buckets.at(-1);
    const all = own.buckets.map(({ claimsBy: _, tasksClaimed: __, ...bucket }, index) =>
      own.buckets[index] === today ? { ...bucket, claims: bucket.claims + 5_000, total: bucket.total + 5_000 } : bucket,
    );
    expect(issued.buckets).toEqual(all.map((bucket) => ({ ...bucket, ranMs: 0 })));
    expect(issued).toMatchObject({
      total: own.total + 5_000,
      inAll: own.total + 5_000,
      countedSince: dayKey(NOON_MS),
      audit: null,
    });
  });

  test('running nodes are grouped by equal factors, with their tier at the requested time', async () => {
    const old = await mining.newUser(7.99);
    await old.start();
    const at = mining.clock.now();
    const running = await mining.backend.nats.request(runningRpc, { at });
    const groupOf = (tierHundredths: number) => ({ tierHundredths, antiCheatHundredths: 100, badge: false, nodes: 1 });
    expect(running).toMatchObject({ running: 2, sampled: 2, isWhole: true });
    expect(running.groups).toContainEqual(groupOf(700));
    const later = await mining.backend.nats.request(runningRpc, { at: at + 30 * 24 * HOUR_MS });
    expect(later.groups).toContainEqual(groupOf(1_000));
  });
});
