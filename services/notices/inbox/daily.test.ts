import { ranksClosed } from '@cord/contracts/events/ranks';
import { referralLinked } from '@cord/contracts/events/referral';
import { userErased } from '@cord/contracts/events/user';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { DAY, EVENING, HOUR, openInboxWorld } from '../test/inbox-world.js';

const world = forAllTests(() => openInboxWorld());

/* One evening after the other, on one clock. */

const brings = (userId: string, seq: number, earningsMicro: string, totalReferrals = 7) =>
  world.commissions.brought(userId, {
    seq: BigInt(seq),
    atMs: world.clock.now(),
    friends: totalReferrals,
    earningsMicro,
  });
const first = async (userId: string) => (await world.reading.page(userId, { limit: 5 })).notices[0];

test('a day’s commission creates one notice after the day, by the ledger’s sum, and none without commission', async () => {
  const [earns, idle, none] = [randomId(), randomId(), randomId()];
  world.others.commission = { '2026-11-27': 38_390_000n };
  for (const seq of [4, 4, 3]) await brings(earns, seq, '38390000');
  await brings(none, 1, '0', 0);
  await world.sweep();
  expect(await world.titles(earns)).toEqual([]);
  await world.clock.advance(3 * HOUR + 60_000);
  await brings(earns, 5, '39000000');
  await world.sweep();
  await world.sweep();
  expect(await first(earns)).toMatchObject({
    kind: 'commission',
    at: '2026-11-28T00:00:00.000Z',
    title: 'Commission for 27 November: 38.39 CORD',
    text: '10% of what 7 friends earned that day.',
    tab: 'referrals',
  });
  expect([await world.titles(idle), await world.titles(none)]).toEqual([[], []]);
  expect(await world.people.docs.get(none)).toBeNull();
  // What came in the minute before is notified with its own day.
  expect(await world.people.docs.get(earns)).toMatchObject({ commissionOn: '2026-11-28' });
});

test('after a jump of the clock, only the last day creates a notice', async () => {
  const [earns, gone] = [randomId(), randomId()];
  for (const userId of [earns, gone]) await brings(userId, 1, '5000000');
  await world.hand(gone, { kind: userErased, seq: 2, state: {} });
  await brings(gone, 3, '6000000');
  world.others.commission = { '2026-11-28': 5_000_000n, '2026-11-30': 7_000_000n };
  await world.clock.advance(EVENING + 4 * DAY - world.clock.now());
  await world.sweep();
  expect(await world.titles(earns)).toEqual(['Commission for 30 November: 7.00 CORD']);
  expect(await world.titles(gone)).toEqual([]);
  expect(await world.people.docs.get(earns)).not.toHaveProperty('commissionOn');
});

test('commission around midnight creates a notice, on whichever day referrals and the ledger record it', async () => {
  const people = [randomId(), randomId(), randomId()] as const;
  const [announcedLate, announcedEarly, fellBack] = people;
  const midnight = Date.UTC(2026, 11, 2);
  const at = (userId: string, seq: number, atMs: number) =>
    world.commissions.brought(userId, { seq: BigInt(seq), atMs, friends: 2, earningsMicro: `${seq}000000` });
  const dayOver = async (dayKey: string, micro: bigint, untilMs: number) => {
    world.others.commission = { [dayKey]: micro };
    await world.clock.advance(untilMs - world.clock.now());
    await world.sweep();
  };
  await world.clock.advance(midnight - HOUR - world.clock.now());
  // Credited at 23:59:59, announced behind midnight.
  await at(announcedLate, 1, midnight + 1_000);
  await dayOver('2026-12-01', 1_000_000n, midnight + 61_000);
  expect(await world.titles(announcedLate)).toEqual(['Commission for 1 December: 1.00 CORD']);
  // The ledger's clock is ahead, and then that of the replica which announces the former total.
  const next = midnight + DAY;
  await at(announcedEarly, 1, next - 2_000);
  await at(fellBack, 1, next - 3 * HOUR);
  await at(fellBack, 2, next + 60_000);
  await at(fellBack, 3, next - 61_000);
  await dayOver('2026-12-03', 0n, next + 62_000);
  await dayOver('2026-12-03', 2_000_000n, next + DAY + 61_000);
  for (const userId of [announcedEarly, fellBack])
    expect(await world.titles(userId)).toEqual(['Commission for 3 December: 2.00 CORD']);
});

test('commission that is announced a day late, after an outage of referrals over midnight, creates a notice', async () => {
  const userId = randomId();
  const midnight = Date.UTC(2026, 11, 6);
  world.others.commission = { '2026-12-05': 3_000_000n };
  await world.clock.advance(midnight + 2 * HOUR - world.clock.now());
  await brings(userId, 1, '3000000');
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(await world.titles(userId)).toEqual(['Commission for 5 December: 3.00 CORD']);
  expect(await world.people.docs.get(userId)).toMatchObject({ commissionOn: '2026-12-06' });
});

test('ranks.closed creates one notice for each user who moved, and referral.linked stores the commission', async () => {
  const [rose, passed, kofi] = [randomId(), randomId(), randomId()];
  world.others.names.set(kofi, 'kofi_b');
  const moved = [
    { userId: rose, rank: 31, before: 34, passedBy: 0 },
    { userId: passed, rank: 35, before: 34, passedBy: 1, nearest: kofi },
  ];
  const state = { dayKey: '2026-11-30', beforeDay: '2026-11-29', closedAt: EVENING + 3 * DAY + 3 * HOUR, moved };
  for (const seq of [7, 7]) await world.hand('', { kind: ranksClosed, seq, state });
  expect(await world.titles(rose)).toEqual(['You moved up to rank 31']);
  expect(await world.titles(passed)).toEqual(['Passed by kofi_b: you are rank 35']);
  expect(await first(rose)).toMatchObject({
    kind: 'rank',
    at: '2026-12-01T00:00:00.000Z',
    text: 'All time, at the end of 30 November. You were rank 34 at the end of 29 November.',
    tab: 'leaderboard',
  });
  const linked = { referralCode: 'ABCDEFGH', referredBy: null, totalReferrals: 2, earningsMicro: '1' };
  await world.hand(rose, { kind: referralLinked, seq: 3, state: linked });
  expect(await world.people.docs.get(rose)).toMatchObject({
    commission: { friends: 2, roseOn: '1970-01-01' },
    commissionOn: '1969-12-30',
  });
});
