import { describe, expect, test } from 'vitest';
import type { FormerBucket, FormerFriend } from './domain/former.js';
import { newMember } from './store.js';
import {
  account,
  BUDDY,
  dyingAt,
  FRIEND,
  NOW_MS,
  newWorld,
  onlyCrashes,
  paidTo,
  processOf,
  REFERRER,
  THIRD,
  timePasses,
  type World,
  wrongsOf,
} from './test/world.js';

const NOWHERE = { key: null, level: 0 };
/** A friend as the release before kept it: baseline 50, counted what comes after. */
const formerFriend = (countedMicro: bigint, changes: Partial<FormerFriend> = {}): FormerFriend => ({
  ...account(4n, 50n + countedMicro),
  linkedAtMs: 1,
  baselineMicro: 50n,
  countedMicro,
  bonus: 'pending',
  address: NOWHERE,
  released: false,
  ...changes,
});

/**
 * A referrer with three friends in two buckets of the release before, of whom the ledger has had the commission of a part: 10 %
 * of 1,009 + 20 + 1 is due, 103 in all.
 */
async function formerWorld(friendChanges: Partial<FormerFriend> = {}): Promise<World> {
  const world = newWorld();
  const { members, former } = world.disk;
  const bucket = (index: number, friends: FormerBucket['friends']): void => {
    const sumMicro = Object.values(friends).reduce((sum, { countedMicro }) => sum + countedMicro, 0n);
    former.set(`${REFERRER}:${index}`, {
      _id: `${REFERRER}:${index}`,
      seq: 7n,
      referrerId: REFERRER,
      friends,
      sumMicro,
    });
  };
  bucket(0, { [FRIEND]: formerFriend(1_009n, friendChanges), [BUDDY]: formerFriend(20n) });
  bucket(1, { [THIRD]: formerFriend(1n) });
  members.set(REFERRER, {
    ...newMember(REFERRER),
    seq: 3n,
    lastBucket: 1,
    commission: { paidMicro: 40n },
    dueAt: NOW_MS,
  });
  world.ledger.set(REFERRER, 40n);
  for (const [friendId, index] of [
    [FRIEND, 0],
    [BUDDY, 0],
    [THIRD, 1],
  ] as const) {
    const referredBy = { userId: REFERRER, atMs: 1, bucketId: `${REFERRER}:${index}` };
    members.set(friendId, { ...newMember(friendId), seq: 5n, referredBy });
  }
  return world;
}

const sumIn = ({ disk }: World) => disk.totals.get(REFERRER)?.sumMicro;

describe('what the release before kept is taken over to the micro-CORD', () => {
  test('by the sweep, wherever it dies; nothing is less than before at any time', async () => {
    for (let at = 1; ; at += 1) {
      const world = await formerWorld();
      const dying = dyingAt(at);
      await processOf(world, dying).sweep.sweepOnce().catch(onlyCrashes);
      const half = await processOf(world).upgrade.tallyOf(REFERRER);
      expect([at, half.sumMicro, half.friends]).toEqual([at, 1_030n, 3]);
      await processOf(world).sweep.sweepOnce();
      expect([at, sumIn(world), wrongsOf(world.disk)]).toEqual([at, 1_030n, []]);
      for (const friendId of [FRIEND, BUDDY, THIRD]) expect(world.disk.members.get(friendId)?.friend).toBeDefined();
      await timePasses(world);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 103n]);
      if (!dying.died()) return expect(at).toBeGreaterThan(40);
    }
  });

  test('by a payment before any of it was swept, wherever that dies, also by a lost answer of the ledger', async () => {
    for (let at = 1; ; at += 1) {
      const world = await formerWorld();
      const dying = dyingAt(at);
      await processOf(world, dying).payer.payDue().catch(onlyCrashes);
      await timePasses(world);
      expect([at, paidTo(world, REFERRER), wrongsOf(world.disk)]).toEqual([at, 103n, []]);
      if (!dying.died()) return;
    }
  });

  test('by a friend’s event, wherever it dies, while the other friends were not touched: a half-migrated referrer', async () => {
    for (let at = 1; ; at += 1) {
      const world = await formerWorld();
      const dying = dyingAt(at);
      await processOf(world, dying).books.takeAccount(FRIEND, account(5n, 1_159n)).catch(onlyCrashes);
      await processOf(world).books.takeAccount(FRIEND, account(5n, 1_159n));
      expect([at, sumIn(world), wrongsOf(world.disk)]).toEqual([at, 1_130n, []]);
      expect(world.disk.members.get(BUDDY)?.friend).toBeUndefined();
      await timePasses(world);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 113n]);
      if (!dying.died()) return;
    }
  });

  test('a bonus that was promised is promised in the friend’s record under the same key, and told as joined once', async () => {
    const world = await formerWorld({ bonus: 'promised', ranMs: 600_000 });
    for (let times = 0; times < 2; times += 1) await processOf(world).sweep.sweepOnce();
    const { promised, promisedAt, outbox } = world.disk.members.get(FRIEND) ?? {};
    expect(promised).toMatchObject([{ key: `refwelcome:${REFERRER}:${FRIEND}`, userId: REFERRER }]);
    expect(promisedAt).toBe(NOW_MS);
    expect(outbox?.filter(({ key }) => key === `joined:${FRIEND}`)).toHaveLength(1);
  });

  test('bonuses that stand in the ledger, holds and those who came back are what they were', async () => {
    const credited = await formerWorld({ bonus: 'credited' });
    expect(await processOf(credited).upgrade.tallyOf(REFERRER)).toMatchObject({ bonusMicro: 86_000_000n, friends: 3 });
    const returned = await formerWorld({ countedMicro: 0n, bonus: 'refused' });
    await processOf(returned).sweep.sweepOnce();
    expect(await processOf(returned).upgrade.tallyOf(REFERRER)).toMatchObject({ sumMicro: 21n, friends: 2 });
    const held = await formerWorld({ countedMicro: 9n, gone: 'held' });
    await processOf(held).sweep.sweepOnce();
    expect(held.disk.members.get(FRIEND)?.friend).toMatchObject({ countedMicro: 9n, heldMicro: 1_000n, gone: 'held' });
    expect([sumIn(held), wrongsOf(held.disk)]).toEqual([30n, []]);
  });
});

describe('a former release that runs beside this one', () => {
  /** As it writes: the whole bucket, whatever else stands in it. */
  const oldReplica = (world: World, change: (friends: FormerBucket['friends']) => FormerBucket['friends']): void => {
    const bucket = world.disk.former.get(`${REFERRER}:0`);
    if (!bucket) throw new Error('no bucket');
    world.disk.former.set(bucket._id, { ...bucket, seq: bucket.seq + 1n, friends: change(bucket.friends) });
  };

  test('takes a friend’s event: the next sweep takes it over, once, and a newer event of this release stays', async () => {
    const world = await formerWorld();
    const { sweep, books } = processOf(world);
    await sweep.sweepOnce();
    oldReplica(world, (friends) => ({ ...friends, [FRIEND]: { ...formerFriend(1_109n), accountSeq: 8n } }));
    await books.takeAccount(BUDDY, account(9n, 50n + 70n));
    oldReplica(world, (friends) => ({ ...friends, [BUDDY]: { ...formerFriend(30n), accountSeq: 6n } }));
    for (let times = 0; times < 2; times += 1) await sweep.sweepOnce();
    expect([sumIn(world), wrongsOf(world.disk)]).toEqual([1_180n, []]);
    await timePasses(world);
    expect(paidTo(world, REFERRER)).toBe(118n);
  });

  test('has put a friend into its bucket and crashed before the note of it: the friend has one line', async () => {
    const world = await formerWorld();
    const friend = world.disk.members.get(FRIEND);
    if (!friend?.referredBy) throw new Error('no friend');
    world.disk.members.set(FRIEND, { ...friend, referredBy: { ...friend.referredBy, bucketId: null } });
    await processOf(world).books.takeAccount(FRIEND, account(5n, 1_159n));
    expect([sumIn(world), wrongsOf(world.disk)]).toEqual([1_130n, []]);
  });

  test('links somebody in its own way after the referrer was taken over: one line, the baseline of the link', async () => {
    const world = await formerWorld();
    const { sweep, books } = processOf(world);
    await sweep.sweepOnce();
    const referredBy = { userId: REFERRER, atMs: 2, bucketId: null, baseline: account(1n, 30n) };
    world.disk.members.set('late', { ...newMember('late'), seq: 2n, referredBy });
    await books.takeAccount('late', account(3n, 90n));
    oldReplica(world, (friends) => ({ ...friends, late: formerFriend(60n, { accountSeq: 3n, baselineMicro: 30n }) }));
    const late = world.disk.members.get('late');
    if (!late?.referredBy) throw new Error('no friend');
    world.disk.members.set('late', { ...late, referredBy: { ...late.referredBy, bucketId: `${REFERRER}:0` } });
    await sweep.sweepOnce();
    expect([sumIn(world), wrongsOf(world.disk)]).toEqual([1_090n, []]);
  });

  test('its buckets go a day after its last change, not before', async () => {
    const world = await formerWorld();
    const { sweep } = processOf(world);
    await sweep.sweepOnce();
    world.nowMs += 86_399_999;
    await sweep.sweepOnce();
    expect(world.disk.former.size).toBe(2);
    oldReplica(world, (friends) => friends);
    world.nowMs += 1;
    await sweep.sweepOnce();
    expect([...world.disk.former.keys()]).toEqual([`${REFERRER}:0`]);
    world.nowMs += 86_400_000;
    await sweep.sweepOnce();
    expect([world.disk.former.size, sumIn(world), wrongsOf(world.disk)]).toEqual([0, 1_030n, []]);
  });
});
