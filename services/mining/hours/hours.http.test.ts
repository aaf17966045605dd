import { badgePurchased } from '@cord/contracts/events/rewards';
import { anticheatAssessed } from '@cord/contracts/events/user';
import type { HoursOfDay } from '@cord/contracts/http/hours';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { outagesRpc } from '@cord/contracts/rpc/checkin';
import { pastRpc } from '@cord/contracts/rpc/past';
import { dayKey, dayStartMs } from '@cord/contracts/rules/days';
import type { Consuming } from '@cord/kit/nats/consume';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture, type TestUser } from '../test/fixture.js';

const mining = forAllTests(() => startFixture());
/** What auth and tasks answer; null: they are away. */
let past: z.output<typeof pastRpc.reply> | null;
let outages: z.output<typeof outagesRpc.reply> | null;
const peers: Consuming[] = [];
beforeAll(() => {
  peers.push(
    mining.backend.nats.serve(pastRpc, async () => past ?? new Promise(() => undefined)),
    mining.backend.nats.serve(outagesRpc, async () => outages ?? new Promise(() => undefined)),
  );
});
beforeEach(() => {
  past = { signIns: [], network: [] };
  outages = { outages: [] };
});
afterAll(async () => {
  for (const peer of peers) await peer.stop();
});

const now = () => mining.clock.now();

async function hoursOf(user: TestUser, day = dayKey(now())): Promise<HoursOfDay> {
  const { status, body } = await user.call(api.hours, { query: { day } });
  expect(status).toBe(200);
  return body;
}

const states = ({ parts }: HoursOfDay['hours'][number]) => parts.map(({ state }) => state);

/** The next day at an hour, so that each test has a day of its own. */
async function nextDay(hour: number) {
  await mining.clock.advance(dayStartMs(now()) + DAY_MS + hour * HOUR_MS - now());
}

/** The mining of a day as the chart of earnings has it, CORD. */
async function minedOn(user: TestUser, day: string): Promise<number | undefined> {
  const { body } = await user.call(api.earnings, { query: { range: '30d' } });
  return body.buckets.find(({ key }) => key === day)?.mining;
}

const sum = ({ hours }: HoursOfDay) => hours.reduce((all, { mined }) => all + Math.round(mined * 1e6), 0) / 1e6;

describe('GET /users/{id}/hours', () => {
  test('explains a day of starts, stops and an ended lease, adds up to the day’s mining, and writes nothing', async () => {
    await nextDay(6);
    const day = dayKey(now());
    const user = await mining.newUser(5);
    await mining.clock.advance(HOUR_MS + 10 * MINUTE_MS);
    await user.start();
    await mining.clock.advance(2 * HOUR_MS + 15 * MINUTE_MS);
    await user.call(api.deactivate);
    await mining.clock.advance(35 * MINUTE_MS);
    await user.start();
    const pausesMs = now() + 8 * HOUR_MS;
    await mining.clock.advance(HOUR_MS / 2);
    const running = await hoursOf(user);
    expect(running.hours[10]).toMatchObject({ ranMs: HOUR_MS / 2, mined: 52.5 });
    expect(states(running.hours[10]!)).toEqual(['ran', 'to-come']);

    await nextDay(0);
    const stored = async () =>
      JSON.stringify(await mining.stored.accounts.findOne({ _id: user.id }), (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      );
    const before = await stored();
    const answer = await hoursOf(user, day);
    expect(await stored()).toBe(before);
    expect(answer).toMatchObject({ day, unknown: [] });
    expect(answer.hours.map(states)).toEqual([
      ...Array.from({ length: 6 }, () => ['before-joined']),
      ['not-started'],
      ['not-started', 'ran'],
      ['ran'],
      ['ran', 'stopped'],
      ...Array.from({ length: 8 }, () => ['ran']),
      ...Array.from({ length: 6 }, () => ['lease-over']),
    ]);
    expect(answer.hours[8]).toMatchObject({ mined: 105, ranMs: HOUR_MS, parts: [{ rate: 1.75, network: null }] });
    expect(answer.hours[9]).toMatchObject({ mined: 43.75, ranMs: 25 * MINUTE_MS });
    expect(answer.hours[23]).toMatchObject({ mined: 0, parts: [{ since: new Date(pausesMs).toISOString() }] });
    expect(sum(answer)).toBe(await minedOn(user, day));
  });

  test('reports what reduced the rate, with its percentage, exactly where it applied', async () => {
    await nextDay(1);
    const day = dayKey(now());
    const user = await mining.newUser(2);
    await mining.publish(badgePurchased, user.id, 1, { orderId: 'a'.repeat(32), purchasedAt: now(), transaction: 't' });
    await eventually(async () =>
      expect((await mining.stored.accounts.findOne({ _id: user.id }))?.factors.badge).toBe(true),
    );
    await user.start();
    await mining.clock.advance(90 * MINUTE_MS);
    past = { signIns: [], network: [{ atMs: now(), factorHundredths: 50, accounts: 4 }] };
    await assess(user, 2, 50, 4);
    await mining.clock.advance(2 * HOUR_MS);
    await user.call(api.current);
    const { hours } = await hoursOf(user, day);
    expect(hours[2]?.parts).toMatchObject([
      { state: 'ran', rate: 0.7875, network: null },
      { state: 'ran', rate: 0.39375, network: { percent: 50, accounts: 4 } },
    ]);
    expect(hours[3]).toMatchObject({ mined: 23.625, parts: [{ network: { percent: 50, accounts: 4 } }] });
    past = null;
    const without = await hoursOf(user, day);
    expect(without.unknown).toEqual(['network', 'sign-ins']);
    expect(without.hours[3]?.parts[0]?.network).toEqual({ percent: 50, accounts: null });
  });

  test('reports hours without a sign-in and our outages, and names the services that did not respond', async () => {
    await nextDay(0);
    const day = dayKey(now());
    const user = await mining.newUser(2);
    const fromMs = now();
    await user.start();
    await nextDay(12);
    past = { signIns: [{ fromMs, toMs: fromMs + 10 * HOUR_MS }], network: [] };
    outages = { outages: [{ fromMs: fromMs + 12 * HOUR_MS, toMs: fromMs + 13 * HOUR_MS }] };
    const { hours } = await hoursOf(user, day);
    expect(hours.map(states).map(([state]) => state)).toEqual([
      ...Array.from({ length: 8 }, () => 'ran'),
      'lease-over',
      'lease-over',
      'no-sign-in',
      'no-sign-in',
      'outage',
      ...Array.from({ length: 11 }, () => 'no-sign-in'),
    ]);
    [past, outages] = [null, null];
    const alone = await hoursOf(user, day);
    expect(alone.unknown).toEqual(['network', 'sign-ins', 'outages']);
    expect(states(alone.hours[12]!)).toEqual(['lease-over']);
  });

  test('responds 400 and names the field for a day that is invalid, in the future, or 30 or more days ago', async () => {
    const user = await mining.newUser(1);
    const days = [undefined, '', '2026-02-30', 'today', dayKey(now() + DAY_MS), dayKey(now() - 30 * DAY_MS)];
    for (const day of days) {
      const { status, body } = await user.call(api.hours, {
        query: (day === undefined ? {} : { day }) as { day: string },
      });
      expect([day, status]).toEqual([day, 400]);
      expect((body as { errors?: unknown }).errors).toMatchObject([{ path: expect.stringContaining('day') }]);
    }
    expect((await hoursOf(user, dayKey(now() - 29 * DAY_MS))).hours).toHaveLength(24);
  });
});

async function assess(user: TestUser, seq: number, factorHundredths: number, usersOnAddress: number) {
  await mining.publish(anticheatAssessed, user.id, seq, assessed({ factorHundredths, usersOnAddress }));
  await eventually(async () => {
    const account = await mining.stored.accounts.findOne({ _id: user.id });
    expect(account?.factors.antiCheatHundredths).toBe(BigInt(factorHundredths));
  });
}
