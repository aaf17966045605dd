import { describe, expect, test } from 'vitest';
import { createBooks } from './books.js';
import { createDues } from './dues.js';
import { createPayer, PAYER_BOUNDS } from './payer.js';
import { dropPayments } from './payments.js';
import { newMember } from './store.js';
import { type Disk, memoryStore, newDisk, type Step } from './test/memory-store.js';

const NOW_MS = Date.UTC(2026, 10, 18, 12);
const BOUNDS = [
  ['as they are', PAYER_BOUNDS],
  ['at their smallest', { everyMs: 1, quietMs: 0, batch: 1, atOnce: 1, stepsMax: 1 }],
] as const;
/** What the ledger takes of a total at once: less than what is due here. */
const STEP_MICRO = 60n;
const [REFERRER, OTHER, FRIEND, BUDDY] = ['referrer', 'other', 'friend', 'buddy'];

/** Everything that survives: the disk, and the ledger with the commission of each user. */
interface World {
  disk: Disk;
  ledger: Map<string, bigint>;
  ledgerIsAway: boolean;
}

const never: Step = async () => undefined;
class Crash extends Error {}

/** One process over a world. */
function processOf(world: World, step: Step, bounds: typeof PAYER_BOUNDS) {
  const store = memoryStore(world.disk, step);
  const clock = { now: () => NOW_MS, onAdvance: () => () => undefined };
  const dues = createDues(store, clock, bounds.quietMs);
  const ledger = {
    tell: async (userId: string, totalMicro: bigint) => {
      await step('ask the ledger');
      if (world.ledgerIsAway) throw new Error('away');
      const knownMicro = world.ledger.get(userId) ?? 0n;
      const dueMicro = totalMicro - knownMicro;
      if (dueMicro > 0n) world.ledger.set(userId, knownMicro + (dueMicro < STEP_MICRO ? dueMicro : STEP_MICRO));
      await step('hear the ledger');
      return world.ledger.get(userId) ?? 0n;
    },
  };
  const books = createBooks({
    store,
    clock,
    dues,
    tellSoon: () => undefined,
    promises: () => ({ settle: async () => null }),
    relay: { relayNow: async () => undefined },
    friendsMax: bounds.batch,
  });
  const payer = createPayer({
    store,
    books,
    dues,
    clock,
    leases: { acquire: async () => ({}) as never },
    log: { warn: () => undefined } as never,
    ledger,
    bounds,
  });
  return { books, payer, store };
}

const account = (accountSeq: bigint, eligibleMicro: bigint) => ({
  accountSeq,
  eligibleMicro,
  totalMicro: eligibleMicro,
  ranMs: 0,
});

/** Two friends of one referrer and one of another, who have earned nothing yet. */
async function beginning(bounds: typeof PAYER_BOUNDS): Promise<World> {
  const world: World = { disk: newDisk(), ledger: new Map(), ledgerIsAway: false };
  const { books, payer, store } = processOf(world, never, bounds);
  for (const [userId, referrerId] of [
    [FRIEND, REFERRER],
    [BUDDY, REFERRER],
    ['third', OTHER],
  ] as const) {
    await store.members.change(referrerId, (member) => ({ doc: member, result: undefined }));
    const referredBy = { userId: referrerId, atMs: 0, bucketId: null };
    await store.members.change(userId, () => ({ doc: { ...newMember(userId), referredBy }, result: undefined }));
    await books.enter(userId, account(1n, 0n));
  }
  await payer.payDue();
  return world;
}

const paidTo = ({ ledger }: World, userId: string) => ledger.get(userId) ?? 0n;

/** When everything that is marked has come due. */
const laterMs = ({ quietMs }: typeof PAYER_BOUNDS) => NOW_MS + quietMs;

/** Rounds as they come with time; more than enough for what is due here. */
async function timePasses(world: World, bounds: typeof PAYER_BOUNDS): Promise<void> {
  const { payer } = processOf(world, never, bounds);
  for (let rounds = 0; rounds < 8; rounds += 1) await payer.payDue(laterMs(bounds));
}

/** Dies at a step for good: whatever the process had still to do, it does not. */
function dyingAt(step: number): Step & { died: () => boolean } {
  let steps = 0;
  const count = async () => {
    steps += 1;
    if (steps >= step) throw new Crash();
  };
  return Object.assign(count, { died: () => steps >= step });
}

describe.each(BOUNDS)('a commission, bounds %s', (_name, bounds) => {
  test('is paid whole wherever the process dies while a friend’s event is handled: the event comes again', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      const dying = dyingAt(at);
      await processOf(world, dying, bounds).books.takeAccount(FRIEND, account(2n, 1_000n)).catch(onlyCrashes);
      // Others pay what is marked before the event comes again.
      await timePasses(world, bounds);
      await processOf(world, never, bounds).books.takeAccount(FRIEND, account(2n, 1_000n));
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 100n]);
      if (!dying.died()) return;
    }
  });

  test('is paid whole wherever the process dies while it pays', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      const { books } = processOf(world, never, bounds);
      for (const friend of [FRIEND, BUDDY, 'third']) await books.takeAccount(friend, account(2n, 1_000n));
      const dying = dyingAt(at);
      await processOf(world, dying, bounds).payer.payDue(laterMs(bounds)).catch(onlyCrashes);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER), paidTo(world, OTHER)]).toEqual([at, 200n, 100n]);
      if (!dying.died()) return;
    }
  });

  test('is paid whole wherever another pays between two steps of a friend’s event', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      let steps = 0;
      const interrupted: Step = async () => {
        steps += 1;
        if (steps === at) await timePasses(world, bounds);
      };
      await processOf(world, interrupted, bounds).books.takeAccount(FRIEND, account(2n, 1_000n));
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 100n]);
      if (steps < at) return;
    }
  });

  test('is paid whole wherever a friend earns between two steps of a payment, also of two payers', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      await processOf(world, never, bounds).books.takeAccount(FRIEND, account(2n, 1_000n));
      let steps = 0;
      const interrupted: Step = async () => {
        steps += 1;
        if (steps !== at) return;
        await processOf(world, never, bounds).books.takeAccount(BUDDY, account(2n, 1_000n));
        // A second payer, who dies before having paid: the first one's end must not take away the mark.
        await processOf(world, dyingAt(3), bounds).payer.payDue(laterMs(bounds)).catch(onlyCrashes);
      };
      await processOf(world, interrupted, bounds).payer.payDue(laterMs(bounds)).catch(onlyCrashes);
      if (steps < at) return expect(at).toBeGreaterThan(10);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 200n]);
    }
  });

  test('that an admin releases is paid wherever the process dies, if it was released: nothing comes again', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      const { books, store } = processOf(world, never, bounds);
      for (const userId of [REFERRER, FRIEND]) await books.takeAddress(userId, { key: 'home', level: 1 });
      await books.takeAccount(FRIEND, account(2n, 1_000n));
      await timePasses(world, bounds);
      expect(paidTo(world, REFERRER)).toBe(0n);
      const dying = dyingAt(at);
      await processOf(world, dying, bounds).books.release(REFERRER, FRIEND).catch(onlyCrashes);
      await timePasses(world, bounds);
      const [bucket] = (await store.bucketsOf(REFERRER)).filter(({ friends }) => friends[FRIEND]);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, bucket?.friends[FRIEND]?.released ? 100n : 0n]);
      if (!dying.died()) return;
    }
  });

  test('held at an address comes whole wherever the process dies while the address changes: the event comes again', async () => {
    for (let at = 1; ; at += 1) {
      const world = await beginning(bounds);
      const { books } = processOf(world, never, bounds);
      for (const userId of [REFERRER, FRIEND]) await books.takeAddress(userId, { key: 'home', level: 1 });
      await books.takeAccount(FRIEND, account(2n, 1_000n));
      const dying = dyingAt(at);
      const moved = { key: 'elsewhere', level: 0 };
      await processOf(world, dying, bounds).books.takeAddress(REFERRER, moved).catch(onlyCrashes);
      await processOf(world, never, bounds).books.takeAddress(REFERRER, moved);
      await timePasses(world, bounds);
      expect([at, paidTo(world, REFERRER)]).toEqual([at, 100n]);
      expect(world.disk.members.get(REFERRER)?.recounting).toBeUndefined();
      if (!dying.died()) return;
    }
  });

  test('stays marked until the ledger has answered, and keeps nobody else waiting', async () => {
    const world = await beginning(bounds);
    const { books } = processOf(world, never, bounds);
    world.ledgerIsAway = true;
    for (const friend of [FRIEND, 'third']) await books.takeAccount(friend, account(2n, 1_000n));
    await timePasses(world, bounds);
    expect([REFERRER, OTHER].map((id) => world.disk.members.get(id)?.dueAt)).toEqual([NOW_MS, NOW_MS]);
    world.ledgerIsAway = false;
    await timePasses(world, bounds);
    expect([paidTo(world, REFERRER), paidTo(world, OTHER)]).toEqual([100n, 100n]);
    expect([REFERRER, OTHER].map((id) => world.disk.members.get(id)?.dueAt)).toEqual([undefined, undefined]);
  });
});

describe('a referrer as the release before left it', () => {
  const bounds = PAYER_BOUNDS;
  const KEY = `commission:${REFERRER}:1`;
  const bonus = { key: 'refbonus:x', userId: REFERRER, source: 'refbonus' as const, amountMicro: 9n, reason: '' };
  const payment = { key: KEY, userId: REFERRER, source: 'commission' as const, amountMicro: 40n, reason: '' };
  const refusal = { refusal: 'source-not-allowed', message: '', parkedAtMs: 1 };
  const pending = { n: 1n, fromMicro: 0n, toMicro: 40n };
  const dueAt = NOW_MS;

  test.each([
    ['a payment pending that the ledger has never seen', 0n, { promised: [payment], promisedAt: 1, dueAt }, pending],
    ['a payment in the ledger whose answer was lost', 40n, { promised: [payment], promisedAt: 1, dueAt }, pending],
    ['a payment beside a bonus', 0n, { promised: [payment, bonus], promisedAt: 1, promisedSince: 1, dueAt }, pending],
    ['a payment parked, and no mark', 0n, { parked: [{ ...payment, ...refusal }], parkedAt: 1 }, pending],
    ['half paid, nothing pending', 40n, { dueAt }, null],
    ['more in the ledger than its own record says', 100n, { dueAt }, null],
  ])('%s: the total comes whole, once, to the micro-CORD', async (_name, inLedgerMicro, promises, pendingThen) => {
    const world = await beginning(bounds);
    const { books, store, payer } = processOf(world, never, bounds);
    await books.takeAccount(FRIEND, account(2n, 1_009n));
    const found = world.disk.members.get(REFERRER);
    if (!found) throw new Error('no referrer');
    const { taken: _taken, toldAt: _told, dueAt: _due, ...member } = found;
    const paidMicro = pendingThen === null && inLedgerMicro > 0n ? 40n : 0n;
    const commission = { n: pendingThen ? 0n : 1n, paidMicro, pending: pendingThen };
    world.disk.members.set(REFERRER, { ...member, ...promises, commission });
    world.ledger.set(REFERRER, inLedgerMicro);

    await dropPayments(store, createDues(store, { now: () => NOW_MS }, bounds.quietMs), 1);
    await payer.payDue();
    expect(paidTo(world, REFERRER)).toBe(100n);
    const after = world.disk.members.get(REFERRER);
    expect(after?.commission).toEqual({ paidMicro: 100n });
    const kept = 'promisedSince' in promises;
    expect([after?.promised, after?.parked, after?.parkedAt]).toEqual([
      kept ? [bonus] : undefined,
      undefined,
      undefined,
    ]);
    expect([after?.promisedAt, after?.promisedSince]).toEqual(kept ? [1, 1] : [undefined, undefined]);
    await books.takeAccount(FRIEND, account(3n, 1_010n));
    await timePasses(world, bounds);
    expect(paidTo(world, REFERRER)).toBe(101n);
  });

  test('an old replica that fixes one more payment beside this release: it goes, and the total comes once', async () => {
    const world = await beginning(bounds);
    const { books } = processOf(world, never, bounds);
    await books.takeAccount(FRIEND, account(2n, 1_000n));
    const member = world.disk.members.get(REFERRER);
    if (!member) throw new Error('no referrer');
    // As it writes: fixed and promised, the mark stands; the ledger refuses the single credit.
    const fixed = { ...member, promised: [payment], promisedAt: 1, commission: { n: 0n, paidMicro: 0n, pending } };
    world.disk.members.set(REFERRER, { ...fixed, seq: member.seq + 1n });
    await timePasses(world, bounds);
    expect(paidTo(world, REFERRER)).toBe(100n);
    expect(world.disk.members.get(REFERRER)?.promised).toBeUndefined();
  });
});

function onlyCrashes(err: unknown): void {
  if (!(err instanceof Crash)) throw err;
}
