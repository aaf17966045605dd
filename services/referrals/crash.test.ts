import { describe, expect, test } from 'vitest';
import { PAYER_BOUNDS } from './payer.js';
import {
  account,
  BUDDY,
  beginning,
  dyingAt,
  everyDeath,
  FRIEND,
  findInconsistencies,
  laterMs,
  meetingAt,
  NOW_MS,
  never,
  OTHER,
  onlyCrashes,
  paidTo,
  processOf,
  REFERRER,
  THIRD,
  timePasses,
} from './test/world.js';

const BOUNDS = [
  ['as they are', PAYER_BOUNDS],
  ['at their smallest', { everyMs: 1, quietMs: 0, batch: 1, atOnce: 1, stepsMax: 1 }],
] as const;

describe.each(BOUNDS)('a commission (bounds %s)', (_name, bounds) => {
  /** A friend's earnings while both share an address. */
  async function held() {
    const world = await beginning(bounds);
    const { books } = processOf(world, never, bounds);
    for (const userId of [REFERRER, FRIEND]) await books.takeAddress(userId, { key: 'home', level: 1 });
    await books.takeAccount(FRIEND, account(2n, 1_000n));
    return { world, books };
  }

  test('is paid in full after a crash at any step of a friend’s event, which is redelivered', async () => {
    await everyDeath(async (dying, at) => {
      const world = await beginning(bounds);
      await processOf(world, dying, bounds).books.takeAccount(FRIEND, account(2n, 1_000n)).catch(onlyCrashes);
      // Other processes pay marked commission before the event is redelivered.
      await timePasses(world, bounds);
      await processOf(world, never, bounds).books.takeAccount(FRIEND, account(2n, 1_000n));
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, 100n, []]);
    });
  });

  test('is paid in full after a crash at any step of the payment', async () => {
    await everyDeath(async (dying, at) => {
      const world = await beginning(bounds);
      const { books } = processOf(world, never, bounds);
      for (const friend of [FRIEND, BUDDY, THIRD]) await books.takeAccount(friend, account(2n, 1_000n));
      await processOf(world, dying, bounds).payer.payDue(laterMs(world, bounds)).catch(onlyCrashes);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), paidTo(world, OTHER)]).toEqual([at, 200n, 100n]);
    });
  });

  test('is paid in full if another process pays between any two steps of a friend’s event', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      const interrupted = meetingAt(at, () => timePasses(world, bounds));
      await processOf(world, interrupted, bounds).books.takeAccount(FRIEND, account(2n, 1_000n));
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 100n]);
      if (!interrupted.met()) return;
    }
  });

  test('is paid in full if a friend earns between any two steps of a payment, even with two payers', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      await processOf(world, never, bounds).books.takeAccount(FRIEND, account(2n, 1_000n));
      const interrupted = meetingAt(at, async () => {
        await processOf(world, never, bounds).books.takeAccount(BUDDY, account(2n, 1_000n));
        // A second payer dies before it has paid: the end of the first must not remove the mark.
        await processOf(world, dyingAt(3), bounds).payer.payDue(laterMs(world, bounds)).catch(onlyCrashes);
      });
      await processOf(world, interrupted, bounds).payer.payDue(laterMs(world, bounds)).catch(onlyCrashes);
      if (!interrupted.met()) return expect(at).toBeGreaterThan(10);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, 200n, []]);
    }
  });

  test('that an admin releases is paid after a crash at any step, if the release was written', async () => {
    await everyDeath(async (dying, at) => {
      const { world } = await held();
      await timePasses(world, bounds);
      expect(paidTo(world, REFERRER)).toBe(0n);
      await processOf(world, dying, bounds).books.decide(FRIEND, 'release').catch(onlyCrashes);
      await timePasses(world, bounds);
      const released = world.disk.members.get(FRIEND)?.friend?.released;
      expect([at, paidTo(world, REFERRER)]).toEqual([at, released ? 100n : 0n]);
    });
  });

  test('that an admin refuses is not paid until the refusal is reverted, with a crash at any step of that', async () => {
    await everyDeath(async (dying, at) => {
      const { world, books } = await held();
      await books.decide(FRIEND, 'refuse');
      // A refusal stays, even when they no longer share an address.
      await books.takeAddress(REFERRER, { key: 'elsewhere', level: 0 });
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, 0n, []]);
      await processOf(world, dying, bounds).books.decide(FRIEND, 'hold').catch(onlyCrashes);
      await timePasses(world, bounds);
      const refused = world.disk.members.get(FRIEND)?.friend?.refused;
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, refused ? 0n : 100n, []]);
    });
  });

  test('is not paid if another admin refused it while a release stalled', async () => {
    const { world, books } = await held();
    const from = world.disk.members.get(FRIEND)?.friend;
    await books.decide(FRIEND, 'refuse', from);
    await expect(books.decide(FRIEND, 'release', from)).rejects.toMatchObject({ status: 409, type: 'no-longer-so' });
    // Repeating it changes nothing and is no conflict.
    await books.decide(FRIEND, 'refuse', from);
    await timePasses(world, bounds);
    expect([paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([0n, []]);
  });

  test('of a refused friend is not lost if another replica reverts the refusal while the first one stalls', async () => {
    for (let at = 1; ; at += 1) {
      const { world, books } = await held();
      const stalled = meetingAt(at, async () => {
        await books.decide(FRIEND, 'hold');
        await timePasses(world, bounds);
      });
      await processOf(world, stalled, bounds).books.decide(FRIEND, 'refuse');
      // No further check: the record matches the books.
      expect([at, findInconsistencies(world.disk)]).toEqual([at, []]);
      if (!stalled.met()) return;
    }
  });

  test('held at an address is paid in full after a crash at any step of the change of address', async () => {
    await everyDeath(async (dying, at) => {
      const { world } = await held();
      const moved = { key: 'elsewhere', level: 0 };
      await processOf(world, dying, bounds).books.takeAddress(REFERRER, moved).catch(onlyCrashes);
      await processOf(world, never, bounds).books.takeAddress(REFERRER, moved);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 100n]);
      expect(world.disk.members.get(REFERRER)?.recounting).toBeUndefined();
    });
  });

  test('accrues while switched off at any step of the payment, and is paid in full once it is on', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      const { books } = processOf(world, never, bounds);
      await books.takeAccount(FRIEND, account(2n, 600n));
      const interrupted = meetingAt(at, () => {
        world.commissionIsOff = true;
      });
      await processOf(world, interrupted, bounds).payer.payDue(laterMs(world, bounds));
      const paid = paidTo(world, REFERRER);
      await books.takeAccount(FRIEND, account(3n, 1_000n));
      if (!interrupted.met()) return expect(paid).toBe(60n);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, paid]);
      expect(world.disk.members.get(REFERRER)?.dueAt).toBeDefined();
      world.commissionIsOff = false;
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), findInconsistencies(world.disk)]).toEqual([at, 100n, []]);
    }
  });

  test('stays due until the ledger has responded, and does not block other referrers', async () => {
    const world = await beginning(bounds);
    const { books } = processOf(world, never, bounds);
    world.ledgerIsAway = true;
    for (const friend of [FRIEND, THIRD]) await books.takeAccount(friend, account(2n, 1_000n));
    await timePasses(world, bounds);
    expect([REFERRER, OTHER].map((id) => world.disk.members.get(id)?.dueAt)).toEqual([NOW_MS, NOW_MS]);
    world.ledgerIsAway = false;
    await timePasses(world, bounds);
    expect([paidTo(world, REFERRER), paidTo(world, OTHER)]).toEqual([100n, 100n]);
    expect([REFERRER, OTHER].map((id) => world.disk.members.get(id)?.dueAt)).toEqual([undefined, undefined]);
  });
});
