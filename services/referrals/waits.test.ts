import { isCredit } from '@cord/kit/outbox/items';
import { expect, test } from 'vitest';
import { PAYER_BOUNDS } from './payer.js';
import {
  account,
  BUDDY,
  beginning,
  everyDeath,
  FRIEND,
  never,
  onlyCrashes,
  processOf,
  REFERRER,
  type World,
} from './test/world.js';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

const recordOf = (world: World, userId: string = FRIEND) => world.disk.members.get(userId);
const bonuses = (world: World, userId: string = FRIEND) =>
  (recordOf(world, userId)?.outbox ?? []).filter((item) => isCredit(item) && item.source === 'refwelcome').length;

/** Simulates a user's node that ran for some minutes at an address, and stopped or continues. */
async function ran(world: World, userId: string, minutes: number, key: string, running = false): Promise<void> {
  const { books } = processOf(world);
  const { mined } = recordOf(world, userId) ?? {};
  const ms = minutes * MINUTE_MS + (mined?.ranMs ?? 0);
  const seq = (mined?.seq ?? 1n) + 1n;
  await books.takeAccount(userId, account(seq, 0n, ms));
  await books.takeNode(userId, {
    seq,
    ranMs: ms,
    creditedUntilMs: world.nowMs,
    times: [{ key, ms }],
    seenAt: key,
    running,
  });
}

/** Creates a friend who mined for twelve minutes where the referrer had mined, and whose 86 CORD wait. */
async function waiting(): Promise<World> {
  const world = await beginning(PAYER_BOUNDS);
  await ran(world, REFERRER, 5, 'flat');
  await ran(world, FRIEND, 12, 'flat');
  expect([bonuses(world), recordOf(world)?.bonusAt]).toEqual([0, world.nowMs + 30 * DAY_MS]);
  return world;
}

const round = (world: World) => processOf(world).payer.payDue();

test('a waiting bonus of 86 CORD is promised after exactly 30 days, without an event of the friend', async () => {
  const world = await waiting();
  world.nowMs += 30 * DAY_MS - 1;
  await round(world);
  expect([bonuses(world), recordOf(world)?.holdKey?.split('-')[0]]).toEqual([0, 'held']);
  world.nowMs += 1;
  await round(world);
  expect([bonuses(world), recordOf(world)?.bonusAt, recordOf(world)?.holdKey]).toEqual([1, undefined, undefined]);
});

test('a waiting bonus waits on while the referrer’s node runs there, and is promised after it has stopped', async () => {
  const world = await waiting();
  world.nowMs += 20 * DAY_MS;
  await ran(world, REFERRER, 5, 'flat', true);
  for (const days of [10, 10, 10]) {
    world.nowMs += days * DAY_MS;
    await round(world);
    expect(bonuses(world)).toBe(0);
  }
  await ran(world, REFERRER, 5, 'flat');
  world.nowMs += 31 * DAY_MS;
  // A check that is too early schedules the next one.
  for (let looks = 0; looks < 2; looks += 1) await round(world);
  world.nowMs += 31 * DAY_MS;
  await round(world);
  expect(bonuses(world)).toBe(1);
});

test('a waiting bonus is promised once after a crash at any step', async () => {
  const runs = await everyDeath(async (dying, at) => {
    const world = await waiting();
    world.nowMs += 31 * DAY_MS;
    await processOf(world, dying).payer.payDue().catch(onlyCrashes);
    for (let rounds = 0; rounds < 2; rounds += 1) await round(world);
    expect([at, bonuses(world)]).toEqual([at, 1]);
  });
  expect(runs).toBeGreaterThan(5);
});

test('a friend who cannot be counted does not block others', async () => {
  const world = await waiting();
  await ran(world, BUDDY, 12, 'flat');
  world.nowMs += 31 * DAY_MS;
  let friend = '';
  const broken = new Error('of a newer release');
  const one = processOf(world);
  const { payer } = processOf(world, never, PAYER_BOUNDS, {
    recount: async (userId) => {
      friend ||= userId;
      if (userId === friend) throw broken;
      await one.books.recount(userId);
    },
  });
  await payer.payDue();
  const other = friend === FRIEND ? BUDDY : FRIEND;
  expect([bonuses(world, friend), bonuses(world, other)]).toEqual([0, 1]);
  await round(world);
  expect(bonuses(world, friend)).toBe(1);
});
