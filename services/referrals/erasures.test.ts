import { userErased } from '@cord/contracts/events/user';
import { createTestDelivery } from '@cord/kit/testing/last-only';
import { describe, expect, test } from 'vitest';
import type { Books } from './books.js';
import { newFriend } from './domain/friend.js';
import { listen } from './events.js';
import type { Follow } from './follow.js';
import { newMember } from './member.js';
import { PAYER_BOUNDS, type PayerBounds } from './payer.js';
import {
  account,
  beginning,
  everyDeath,
  FRIEND,
  findInconsistencies,
  meetingAt,
  NOW_MS,
  never,
  newWorld,
  onlyCrashes,
  paidTo,
  processOf,
  REFERRER,
  type Step,
  timePasses,
  type World,
} from './test/world.js';

const EARNED = account(9n, 9_000n);
const TEN_MINUTES = 600_000;
const MINED_AT_HOME = {
  ...{ seq: 2n, ranMs: TEN_MINUTES, creditedUntilMs: NOW_MS, times: [{ key: 'home', ms: TEN_MINUTES }] },
  ...{ seenAt: null, running: false },
};
const BOUNDS = [
  ['as they are', PAYER_BOUNDS],
  ['at their smallest', { everyMs: 1, quietMs: 0, batch: 1, atOnce: 1, stepsMax: 1 }],
] as const;

/** Delivers user.erased to a process. */
function erase(world: World, userId: string, step: Step = never, bounds: PayerBounds = PAYER_BOUNDS, follow?: Follow) {
  const { store, books, follow: own } = processOf(world, step, bounds);
  const deliver = createTestDelivery((nats) =>
    listen(nats, {
      store,
      books,
      follow: follow ?? own,
      arrivals: {} as never,
      erase: async () => undefined,
      requestRegistration: never as never,
    }),
  );
  return deliver(userId, { kind: userErased, seq: 2, state: {} });
}

test('a link written while its friend is erased brings the referrer what the friend earned since', async () => {
  const world = newWorld();
  const { store, follow } = processOf(world);
  await store.members.update(REFERRER, (member) => member);
  await store.members.update(FRIEND, () => newMember(FRIEND));
  world.announced.set(FRIEND, { account: EARNED, running: false });
  /** Writes the link as another process does: its baseline was read before the friend earned anything. */
  const link = () =>
    store.members.update(FRIEND, (member) => {
      return { ...member, referredBy: { userId: REFERRER, atMs: 0 }, friend: newFriend(account(1n, 0n), 0, false) };
    });
  let isLinked = false;
  await erase(world, FRIEND, never, PAYER_BOUNDS, {
    ...follow,
    async beforeErasure(userId) {
      const looked = await follow.beforeErasure(userId);
      if (!isLinked) await link();
      isLinked = true;
      return looked;
    },
  });
  expect(world.disk.members.get(FRIEND)).toMatchObject({ erased: true, friend: { countedMicro: 9_000n } });
  await timePasses(world);
  expect([paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([900n, []]);
});

describe.each(BOUNDS)('an erasure that is redelivered after a crash (bounds %s)', (_name, bounds) => {
  /** The friend's node earned 100, and 500 more that the books do not have yet. */
  async function behind(): Promise<World> {
    const world = await beginning(bounds);
    for (const state of [account(2n, 100n), account(3n, 600n)]) {
      world.announced.set(FRIEND, { account: state, running: true });
      await processOf(world, never, bounds).follow.take(FRIEND, { account: state, running: true });
    }
    return world;
  }

  test('of a friend leaves the referrer all that the friend earned, even what the books had skipped', async () => {
    await everyDeath(async (dying, at) => {
      const world = await behind();
      await erase(world, FRIEND, dying, bounds).catch(onlyCrashes);
      // Other processes pay marked commission before the event is redelivered.
      await timePasses(world, bounds);
      await erase(world, FRIEND, never, bounds);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, 60n, []]);
      expect(world.disk.members.get(FRIEND)).toMatchObject({ erased: true, profile: null });
    });
  });

  test('of a friend keeps the books right, even if another process handles an event of the friend meanwhile', async () => {
    for (let at = 1; ; at += 1) {
      const world = await behind();
      const last = { account: account(4n, 1_000n), running: false };
      const interrupted = meetingAt(at, () => processOf(world, never, bounds).follow.take(FRIEND, last));
      await erase(world, FRIEND, interrupted, bounds);
      await timePasses(world, bounds);
      const friend = world.disk.members.get(FRIEND)?.friend;
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([
        at,
        (friend?.countedMicro ?? 0n) / 10n,
        [],
      ]);
      expect([600n, 1_000n]).toContain(friend?.countedMicro);
      if (!interrupted.met()) return;
    }
  });

  test('of a referrer keeps no address after a crash at any step of a change of address', async () => {
    await everyDeath(async (dying, at) => {
      const world = await behind();
      await processOf(world, never, bounds).books.takeAddress(REFERRER, { key: 'home', level: 1 });
      const moving = processOf(world, dying, bounds).books.takeAddress(REFERRER, { key: 'elsewhere', level: 1 });
      await moving.catch(onlyCrashes);
      await erase(world, REFERRER, never, bounds);
      const referrer = world.disk.members.get(REFERRER);
      expect([at, referrer]).toMatchObject([at, { erased: true, address: { key: null } }]);
      expect(referrer).not.toHaveProperty('recounting');
      expect([at, findInconsistencies(world.disk)]).toEqual([at, []]);
    });
  });

  test.each([
    ['commission', (books: Books, userId: string) => books.takeAddress(userId, { key: 'home', level: 1 })],
    ['the 86 CORD', (books: Books, userId: string) => books.takeNode(userId, MINED_AT_HOME)],
  ])(
    'of a referrer leaves no hold of %s to decide, after any crash and whatever a friend earns meanwhile',
    async (_what, meet) => {
      const held = async () => {
        const world = await behind();
        const { books } = processOf(world, never, bounds);
        for (const userId of [REFERRER, FRIEND]) await meet(books, userId);
        await books.takeAccount(FRIEND, account(4n, 1_000n, MINED_AT_HOME.ranMs));
        expect(world.disk.members.get(FRIEND)).toHaveProperty('holdKey');
        return world;
      };
      await everyDeath(async (dying, at) => {
        const world = await held();
        await erase(world, REFERRER, dying, bounds).catch(onlyCrashes);
        await erase(world, REFERRER, never, bounds);
        expect([at, world.disk.members.get(FRIEND)?.holdKey]).toEqual([at, undefined]);
        await timePasses(world, bounds);
        expect([at, findInconsistencies(world.disk)]).toEqual([at, []]);
        expect([at, world.disk.members.get(FRIEND)?.againAt]).toEqual([at, undefined]);
      });
      for (let at = 1; ; at += 1) {
        const world = await held();
        const interrupted = meetingAt(at, () => erase(world, REFERRER, never, bounds));
        await processOf(world, interrupted, bounds).books.takeAccount(FRIEND, account(5n, 2_000n, MINED_AT_HOME.ranMs));
        if (!interrupted.met()) return;
        expect([at, world.disk.members.get(FRIEND)?.holdKey]).toEqual([at, undefined]);
      }
    },
  );

  test('of a referrer removes every mark, and the friends’ books stay right whatever they earn meanwhile', async () => {
    for (let at = 1; ; at += 1) {
      const world = await behind();
      const dying = meetingAt(at, async () => {
        await processOf(world, never, bounds).books.takeAccount(FRIEND, account(4n, 1_000n));
        throw new Error('the process dies');
      });
      await erase(world, REFERRER, dying, bounds).catch(() => undefined);
      await erase(world, REFERRER, never, bounds);
      await processOf(world, never, bounds).books.takeAccount(FRIEND, account(5n, 2_000n));
      await timePasses(world, bounds);
      expect([at, findInconsistencies(world.disk)]).toEqual([at, []]);
      const referrer = world.disk.members.get(REFERRER);
      expect(referrer).toMatchObject({ erased: true });
      expect(referrer).not.toHaveProperty('dueAt');
      expect(world.disk.members.get(FRIEND)?.friend?.countedMicro).toBe(2_000n);
      if (!dying.met()) return;
    }
  });
});
