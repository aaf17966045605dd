import { dayKey, dayStartMs } from '@cord/contracts/rules/days';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture } from './fixture.js';

const mining = forAllTests(() => startFixture());

const CORD = 1_000_000n;

/** What the user's entries make of one UTC day, by source. */
async function entriesOf(userId: string, day: string): Promise<Record<string, bigint>> {
  const entries = await mining.stored.entries.find({ userId }).toArray();
  const sums: Record<string, bigint> = {};
  for (const { atMs, source, amountMicro } of entries) {
    if (dayKey(atMs) === day) sums[source] = (sums[source] ?? 0n) + amountMicro;
  }
  return sums;
}

describe('a UTC day that is over', () => {
  test('goes out whole, by source and with the node’s time, and is the sum of its entries', async () => {
    const user = await mining.newUser();
    const today = dayKey(mining.clock.now());
    await mining.credit(user.id, 'task', `task:a:${user.id}:once`, 3n * CORD);
    const { id } = await user.start();
    const untilMidnightMs = dayStartMs(mining.clock.now()) + DAY_MS - mining.clock.now();
    for (let leftMs = untilMidnightMs + 2 * HOUR_MS; leftMs > 0; leftMs -= HOUR_MS) {
      await mining.clock.advance(HOUR_MS);
      await user.save(id);
    }
    await eventually(async () => {
      const day = await mining.stored.days.findOne({ _id: `${user.id}:${today}` });
      expect(day).toMatchObject({ userId: user.id, dayKey: today, ranMs: untilMidnightMs });
      expect(day?.bySource).toEqual(await entriesOf(user.id, today));
      expect(day?.bySource).toEqual({ task: 3n * CORD, mining: (CORD * BigInt(untilMidnightMs)) / 120_000n });
    });
    const account = await mining.stored.accounts.findOne({ _id: user.id });
    expect(account?.totals.day).toMatchObject({ key: dayKey(mining.clock.now()), ranMs: 2 * HOUR_MS });
    await mining.audit();
  });

  test('what was mined up to the turn of an hour stands in that hour: 1 ms before it', async () => {
    const user = await mining.newUser();
    const { id } = await user.start();
    const hourMs = Math.floor(mining.clock.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
    await mining.clock.advance(hourMs - mining.clock.now() + MINUTE_MS);
    await user.save(id);
    await eventually(async () => {
      const entries = await mining.stored.entries.find({ userId: user.id }).toArray();
      expect(entries.map(({ atMs }) => atMs)).toEqual([hourMs - 1]);
    });
  });
});
