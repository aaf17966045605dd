import { expect, test } from 'vitest';
import { FOLLOW_BOUNDS } from './follow.js';
import { PAYER_BOUNDS } from './payer.js';
import {
  account,
  beginning,
  everyDeath,
  FRIEND,
  findInconsistencies,
  meetingAt,
  onlyCrashes,
  paidTo,
  processOf,
  REFERRER,
  type Step,
  sumOf,
  timePasses,
  type World,
} from './test/world.js';

const { againMs } = FOLLOW_BOUNDS;
const MINUTE_MS = 60_000;
const running = (seq: bigint, micro: bigint, ranMs = 0) => ({ account: account(seq, micro, ranMs), running: true });
const resting = (seq: bigint, micro: bigint) => ({ account: account(seq, micro), running: false });
const recordOf = ({ disk }: World) => disk.members.get(FRIEND);
const booksOf = (world: World) => sumOf(world, REFERRER);

/** Publishes an account and handles the event. */
async function announces(world: World, state: ReturnType<typeof running>, step?: Step): Promise<void> {
  world.announced.set(FRIEND, state);
  await processOf(world, step).follow.take(FRIEND, state);
}

/** Creates a friend whose node has started to earn: the books have 100, and 50 more were skipped. */
async function passedOver(): Promise<World> {
  const world = await beginning(PAYER_BOUNDS);
  await announces(world, running(2n, 100n));
  await processOf(world).payer.payDue();
  await announces(world, running(3n, 150n));
  expect([paidTo(world, REFERRER), booksOf(world)]).toEqual([10n, 100n]);
  return world;
}

/** Runs until no mark is left. */
async function comesToRest(world: World): Promise<void> {
  for (let looks = 0; looks < 4; looks += 1) {
    world.nowMs += againMs;
    await timePasses(world);
  }
  expect(recordOf(world)).not.toHaveProperty('againAt');
  expect(world.disk.members.get(REFERRER)).not.toHaveProperty('dueAt');
}

test('marks of a process whose clock was a day ahead are handled in the next round, and none stays', async () => {
  const world = await passedOver();
  const ahead = world.nowMs + 86_400_000;
  const [friend, referrer] = [world.disk.members.get(FRIEND), world.disk.members.get(REFERRER)];
  if (!friend || !referrer) throw new Error('no such user');
  world.disk.members.set(FRIEND, { ...friend, againAt: ahead });
  world.disk.members.set(REFERRER, { ...referrer, dueAt: ahead, reportedAt: ahead });
  for (let rounds = 0; rounds < 3; rounds += 1) await processOf(world).payer.payDue();
  expect([paidTo(world, REFERRER), booksOf(world)]).toEqual([15n, 150n]);
  await comesToRest(world);
});

test('the books follow a running node every five minutes, and the ledger gets a report every minute', async () => {
  const world = await beginning(PAYER_BOUNDS);
  const written: string[] = [];
  const one = processOf(world, async (what) => {
    if (/^write/.test(what)) written.push(what);
  });
  let micro = 0n;
  for (let halves = 0n; halves < 10n; halves += 1n) {
    micro += 10n;
    const state = running(2n + halves, micro);
    world.announced.set(FRIEND, state);
    await one.follow.take(FRIEND, state);
    await one.payer.payDue();
    await one.unbooked.sendDue();
    // It may take half a minute to publish, and a minute to report.
    expect(paidTo(world, REFERRER)).toBeGreaterThanOrEqual((micro - 20n) / 10n);
    world.nowMs += MINUTE_MS / 2;
  }
  // Writes of mark, record and line; then of the report: taken, confirmed and announced, settled.
  expect(written).toEqual([
    ...['write members', 'write members', 'write sums'],
    ...['write members', 'write members', 'write members'],
  ]);
  expect([booksOf(world), paidTo(world, REFERRER)]).toEqual([10n, 9n]);
  await comesToRest(world);
  expect([booksOf(world), paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([100n, 10n, []]);
});

test('the earnings of a node that stops are in the books at once', async () => {
  const world = await passedOver();
  await announces(world, resting(4n, 170n));
  expect(booksOf(world)).toBe(170n);
  await comesToRest(world);
  expect(paidTo(world, REFERRER)).toBe(17n);
});

test('skipped earnings are paid in full after a crash at any step of the update', async () => {
  const runs = await everyDeath(async (dying, at) => {
    const world = await passedOver();
    world.nowMs += againMs;
    await processOf(world, dying).payer.payDue().catch(onlyCrashes);
    await comesToRest(world);
    expect([at, paidTo(world, REFERRER), booksOf(world), findInconsistencies(world.disk)]).toEqual([at, 15n, 150n, []]);
  });
  expect(runs).toBeGreaterThan(15);
});

test('the event of a running node is paid in full after a crash at any step, once it is redelivered', async () => {
  await everyDeath(async (dying, at) => {
    const world = await beginning(PAYER_BOUNDS);
    await announces(world, running(2n, 100n), dying).catch(onlyCrashes);
    await announces(world, running(2n, 100n));
    await announces(world, running(3n, 150n));
    await comesToRest(world);
    expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, 15n, []]);
  });
});

test('earnings skipped between two steps of an update, by a process whose clock is behind, are not lost', async () => {
  for (const looksAfter of [againMs, 2 * againMs]) {
    for (let at = 1; ; at += 1) {
      const world = await passedOver();
      if (looksAfter > againMs) {
        // The books are complete: this check removes the mark.
        world.nowMs += againMs;
        await processOf(world).payer.payDue();
      }
      const beforeMs = world.nowMs;
      world.nowMs += againMs;
      const interrupted = meetingAt(at, async () => {
        const lookedMs = world.nowMs;
        world.nowMs = beforeMs;
        await announces(world, running(4n, 190n));
        world.nowMs = lookedMs;
      });
      await processOf(world, interrupted).payer.payDue();
      await comesToRest(world);
      if (!interrupted.met()) break;
      expect([looksAfter, at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([
        looksAfter,
        at,
        19n,
        [],
      ]);
    }
  }
});

test('the ledger never gets a report above the earnings, even if the books are updated between two steps', async () => {
  for (let at = 1; ; at += 1) {
    const world = await passedOver();
    world.nowMs += MINUTE_MS;
    let steps = -1;
    const one = processOf(world, async () => {
      if (steps < 0) return;
      steps += 1;
      if (steps === at) await processOf(world).books.takeAccount(FRIEND, account(3n, 150n));
    });
    await one.follow.take(FRIEND, running(3n, 150n));
    steps = 0;
    await one.unbooked.sendDue(true);
    expect([at, paidTo(world, REFERRER) <= 15n]).toEqual([at, true]);
    if (steps < at) return expect(at).toBeGreaterThan(3);
  }
});

test('earnings from before an address was shared count, even if the books had skipped them', async () => {
  const world = await passedOver();
  const { follow, books } = processOf(world);
  for (const userId of [REFERRER, FRIEND]) {
    await follow.beforeMove(userId, { key: 'home', level: 1 });
    await books.takeAddress(userId, { key: 'home', level: 1 });
  }
  await announces(world, running(4n, 900n));
  await comesToRest(world);
  expect([paidTo(world, REFERRER), recordOf(world)?.friend?.heldMicro]).toEqual([15n, 750n]);
});

/** Both share an address, and an admin released the hold. */
async function released(world: World): Promise<void> {
  const { follow, books } = processOf(world);
  for (const userId of [REFERRER, FRIEND]) {
    await follow.beforeMove(userId, { key: 'home', level: 1 });
    await books.takeAddress(userId, { key: 'home', level: 1 });
  }
  await books.decide(FRIEND, 'release');
  await timePasses(world);
  await announces(world, running(4n, 200n));
  await announces(world, running(5n, 250n));
  expect(booksOf(world)).toBe(200n);
}

test.each([
  ['refuses a friend', 'refuse', async () => undefined],
  ['takes a release back', 'hold', released],
] as const)('an admin who %s: what the ledger has paid ahead of the books counts', async (_what, decision, prepare) => {
  const world = await passedOver();
  await prepare(world);
  const one = processOf(world);
  await one.follow.take(FRIEND, world.announced.get(FRIEND) as ReturnType<typeof running>);
  await one.unbooked.sendDue(true);
  const paid = paidTo(world, REFERRER);
  await one.follow.decide(FRIEND, decision);
  await announces(world, running(9n, 900n));
  await comesToRest(world);
  expect(paid).toBeGreaterThanOrEqual(15n);
  expect([paidTo(world, REFERRER), booksOf(world) / 10n, findInconsistencies(world.disk)]).toEqual([paid, paid, []]);
});

test('skipped earnings of an erased friend are paid', async () => {
  const world = await passedOver();
  const { follow, books } = processOf(world);
  await follow.beforeErasure(FRIEND);
  await books.forget(FRIEND);
  // The ledger's stream is purged as well.
  world.announced.delete(FRIEND);
  await comesToRest(world);
  expect([paidTo(world, REFERRER), recordOf(world)?.friend?.gone]).toEqual([15n, 'free']);
});

test('earnings of an erased friend are paid even if no event of them arrived', async () => {
  const world = await beginning(PAYER_BOUNDS);
  // The node does not run, and the record is not marked.
  world.announced.set(FRIEND, resting(4n, 550n));
  const { follow, books } = processOf(world);
  await follow.beforeErasure(FRIEND);
  await books.forget(FRIEND);
  world.announced.delete(FRIEND);
  await comesToRest(world);
  expect([paidTo(world, REFERRER), recordOf(world)?.friend?.gone]).toEqual([55n, 'free']);
});

test('the ten minutes of a bonus are recorded as soon as they have run, while the node runs on', async () => {
  const world = await passedOver();
  await announces(world, running(4n, 160n, 599_999));
  expect(recordOf(world)?.friend?.ranMs).toBe(0);
  await announces(world, running(5n, 170n, 600_000));
  expect(recordOf(world)?.friend?.ranMs).toBe(600_000);
});
