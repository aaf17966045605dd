import { referralLinked } from '@cord/contracts/events/referral';
import { isEvent } from '@cord/kit/outbox/items';
import type { Problem } from '@cord/kit/problem';
import { restingAccount } from '@cord/kit/testing/account-state';
import { expect, test } from 'vitest';
import { newFriend } from './domain/friend.js';
import { createLinks, LINK_BOUNDS } from './links.js';
import { newMember } from './member.js';
import {
  account,
  BUDDY,
  dyingAt,
  everyDeath,
  FRIEND,
  meetingAt,
  never,
  newWorld,
  onlyCrashes,
  processOf,
  REFERRER,
  type Step,
  storeOn,
  timePasses,
  type World,
} from './test/world.js';

/** Returns a user's place in the next event; undefined while the outbox has none. */
function placeIn({ disk }: World, userId: string) {
  const event = (disk.members.get(userId)?.outbox ?? []).find(
    (item) => isEvent(item) && item.key === `referral:${userId}`,
  );
  return event && isEvent(event) ? referralLinked.schema.parse(event.payload) : undefined;
}

/** Creates a referrer with a code, and friends whose links are written but not in the books yet. */
function linked(...friends: string[]): World {
  const world = newWorld();
  world.disk.members.set(REFERRER, { ...newMember(REFERRER), code: 'CCCCCCCC', seq: 1n });
  for (const userId of friends) {
    const [referredBy, friend] = [{ userId: REFERRER, atMs: 0 }, newFriend(account(1n, 0n), 0, false)];
    world.disk.members.set(userId, { ...newMember(userId), seq: 1n, referredBy, friend });
  }
  return world;
}

test('the published number of friends counts all, even if another replica enters one between two steps', async () => {
  for (let at = 1; ; at += 1) {
    const world = linked(FRIEND, BUDDY);
    const interrupted = meetingAt(at, () => processOf(world).books.enter(BUDDY));
    await processOf(world, interrupted).books.enter(FRIEND);
    if (!interrupted.met()) return expect(at).toBeGreaterThan(8);
    expect([at, placeIn(world, REFERRER)?.totalReferrals]).toEqual([at, 2]);
  }
});

test('the number of friends is published after a crash at any step of entering one', async () => {
  await everyDeath(async (dying, at) => {
    const world = linked(FRIEND);
    await processOf(world, dying).books.enter(FRIEND).catch(onlyCrashes);
    await timePasses(world);
    const friends = [...world.disk.sums.values()].reduce((sum, head) => sum + head.friends, 0);
    expect([at, placeIn(world, REFERRER)?.totalReferrals ?? 0]).toEqual([at, friends]);
    // The friend's next event does what has not started.
    await processOf(world).books.takeAccount(FRIEND, account(2n, 0n));
    await timePasses(world);
    expect([at, placeIn(world, REFERRER)?.totalReferrals]).toEqual([at, 1]);
  });
});

/** Creates a referrer with a code, and a newcomer who may enter it. */
function withNewcomer({ returning }: { returning: boolean }): World {
  const world = linked();
  const profile = { username: 'nova', avatar: null, returning, welcomeMicro: 0n };
  world.disk.members.set(FRIEND, { ...newMember(FRIEND), seq: 1n, code: 'FFFFFFFF', profile });
  return world;
}

function linksOf(world: World, step: Step) {
  return createLinks({
    store: storeOn(world.disk, step),
    books: processOf(world, step).books,
    nats: { request: async () => ({ ...restingAccount({}), userId: FRIEND, seq: '1', factors: {} }) } as never,
    clock: { now: () => world.nowMs } as never,
    outbox: { relayNow: async () => undefined, settle: async () => null },
    requestRegistration: never as never,
    bounds: { ...LINK_BOUNDS, triesMax: 1, waitMs: 0 },
  });
}

test.each([
  ['a newcomer', { returning: false, meanwhile: false }],
  ['a newcomer of whom news came meanwhile', { returning: false, meanwhile: true }],
  ['a user who returned', { returning: true, meanwhile: false }],
  ['a user who returned and of whom news came meanwhile', { returning: true, meanwhile: true }],
])(
  'after a request that fails behind the link, a code of %s is accepted again until a request completes',
  async (_, { returning, meanwhile }) => {
    await everyDeath(async (dying, at) => {
      const world = withNewcomer({ returning });
      const isAnswered = await linksOf(world, dying)
        .process(FRIEND, 'CCCCCCCC')
        .then(() => true, onlyCrashes);
      if (meanwhile) await processOf(world).books.takeAccount(FRIEND, account(2n, 0n));
      const friends = () =>
        [...world.disk.sums.values()].reduce((sum, { lines }) => sum + Object.keys(lines).length, 0);
      const again = () =>
        linksOf(world, never)
          .process(FRIEND, 'CCCCCCCC')
          .then(
            ({ referrerId }) => referrerId,
            (err: Problem) => err.type,
          );
      expect([at, await again(), friends()]).toEqual([
        ...[at, isAnswered ? 'already-referred' : REFERRER],
        returning ? 0 : 1,
      ]);
      expect([at, await again()]).toEqual([at, 'already-referred']);
    });
  },
);

test('a link and its event are one write: a crash at any later step leaves both', async () => {
  for (let at = 1; ; at += 1) {
    const world = withNewcomer({ returning: true });
    const dying = dyingAt(at);
    await linksOf(world, dying).process(FRIEND, 'CCCCCCCC').catch(onlyCrashes);
    const { referredBy } = world.disk.members.get(FRIEND) ?? {};
    expect([at, placeIn(world, FRIEND)?.referredBy?.userId]).toEqual([at, referredBy?.userId]);
    if (!dying.died()) return expect(referredBy?.userId).toBe(REFERRER);
  }
});
