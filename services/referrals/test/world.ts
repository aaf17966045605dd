import { type Documents, MemoryCollection, memoryConnection } from '@cord/kit/testing/simulation/memory-collection';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import { type Books, createBooks } from '../books.js';
import { isExcluded, newFriend } from '../domain/friend.js';
import { createDues } from '../dues.js';
import { type Announced, createFollow, FOLLOW_BOUNDS } from '../follow.js';
import { type Member, newMember } from '../member.js';
import { createPayer, PAYER_BOUNDS, type PayerBounds } from '../payer.js';
import { openStore } from '../store.js';
import type { SumDocument } from '../sum-store.js';
import { createSums } from '../sums.js';
import { createUnbooked, UNBOOKED_BOUNDS } from '../unbooked.js';

/** An access of a process to the outside: before each, another process may run, or this one may die. */
export type Step = (what: string) => Promise<void>;

/** The data that survives a crash, by collection. */
export interface Disk {
  members: Map<string, Member>;
  sums: Map<string, SumDocument>;
}

export const newDisk = (): Disk => ({ members: new Map(), sums: new Map() });

/** Opens the store of one process on a disk: each read and write is a step. */
export function storeOn(disk: Disk, step: Step) {
  const collectionOf = (name: string) => {
    const documents = disk[name as keyof Disk] as unknown as Documents;
    return new MemoryCollection(documents, {
      reads: (run) => step(`read ${name}`).then(() => run([...documents.values()])),
      writes: (run) => step(`write ${name}`).then(() => run(() => undefined)),
    });
  };
  return openStore(memoryConnection(collectionOf));
}

export const NOW_MS = Date.UTC(2026, 10, 18, 12);
/** Maximum increase of a total that the ledger accepts at once: less than what is due in these tests. */
const STEP_MICRO = 60n;
export const [REFERRER, OTHER, FRIEND, BUDDY, THIRD] = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
  string,
  string,
];

/** All surviving state: the disk, and the ledger with the commission of each user. */
export interface World {
  disk: Disk;
  ledger: Map<string, bigint>;
  /** The last published accounts of friends. */
  announced: Map<string, Announced>;
  ledgerIsAway: boolean;
  /** Whether operators switched commission off. */
  commissionIsOff: boolean;
  nowMs: number;
}

export const newWorld = (): World => ({
  disk: newDisk(),
  ledger: new Map(),
  announced: new Map(),
  ledgerIsAway: false,
  commissionIsOff: false,
  nowMs: NOW_MS,
});

export const never: Step = async () => undefined;
class Crash extends Error {}

/** Starts one process on a world. @param broken overrides of its books */
export function processOf(
  world: World,
  step: Step = never,
  bounds: PayerBounds = PAYER_BOUNDS,
  broken: Partial<Books> = {},
) {
  const store = storeOn(world.disk, step);
  const clock = { now: () => world.nowMs, onAdvance: () => () => undefined };
  const dues = createDues(store, clock, bounds.quietMs);
  const ledger = {
    accrue: async (userId: string, totalMicro: bigint) => {
      await step('request to the ledger');
      if (world.ledgerIsAway) throw new Error('away');
      const knownMicro = world.ledger.get(userId) ?? 0n;
      const dueMicro = totalMicro - knownMicro;
      if (dueMicro > 0n) world.ledger.set(userId, knownMicro + (dueMicro < STEP_MICRO ? dueMicro : STEP_MICRO));
      await step('answer of the ledger');
      return world.ledger.get(userId) ?? 0n;
    },
    bonusesOf: async () => 0n,
  };
  // Small bounds also make buckets small, so that full ones occur.
  const sums = createSums(store.sums, bounds.batch);
  const books = createBooks({
    store,
    sums,
    clock,
    dues,
    sendSoon: () => undefined,
    ledger,
    outbox: { relayNow: async () => undefined, settle: async () => null },
  });
  const [leases, log] = [singleReplicaLeases(), { warn: () => undefined, info: () => undefined }];
  const { quietMs } = bounds;
  const isOn = async () => !world.commissionIsOff;
  const unbooked = createUnbooked({
    sums: store.sums,
    ledger,
    clock,
    log,
    isOn,
    bounds: { ...UNBOOKED_BOUNDS, quietMs },
  });
  const lastOf = async (userId: string) => {
    await step('read the stream');
    return world.announced.get(userId) ?? null;
  };
  const following = { ...FOLLOW_BOUNDS, againMs: quietMs * 5, batch: bounds.batch, atOnce: bounds.atOnce };
  const follow = createFollow({
    store,
    books,
    unbooked,
    lastOf,
    finalAccountOf: async (userId: string) => (await lastOf(userId))?.account ?? null,
    clock,
    log,
    bounds: following,
  });
  const paying = { clock, leases, log: log as never, ledger, isOn, bounds };
  const payer = createPayer({ ...paying, store, books: { ...books, ...broken }, follow, dues });
  return { books, payer, store, dues, follow, unbooked };
}

export const account = (accountSeq: bigint, eligibleMicro: bigint, ranMs = 0) => ({
  accountSeq,
  eligibleMicro,
  totalMicro: eligibleMicro,
  ranMs,
});

/** Creates two friends of one referrer and one of another, without earnings. */
export async function beginning(bounds: PayerBounds): Promise<World> {
  const world = newWorld();
  const { books, payer, store } = processOf(world, never, bounds);
  for (const [userId, referrerId] of [
    [FRIEND, REFERRER],
    [BUDDY, REFERRER],
    [THIRD, OTHER],
  ] as const) {
    await store.members.update(referrerId, (member) => member);
    const referredBy = { userId: referrerId, atMs: 0 };
    const friend = newFriend(account(1n, 0n), 0, false);
    await store.members.update(userId, () => ({ ...newMember(userId), referredBy, friend }));
    await books.enter(userId);
  }
  await payer.payDue();
  return world;
}

export const paidTo = ({ ledger }: World, userId: string) => ledger.get(userId) ?? 0n;

/** Returns a time at which all marks are due. */
export const laterMs = ({ nowMs }: World, { quietMs }: PayerBounds) => nowMs + quietMs;

/** Runs more rounds than the due work here needs. */
export async function timePasses(world: World, bounds: PayerBounds = PAYER_BOUNDS): Promise<void> {
  const { payer } = processOf(world, never, bounds);
  for (let rounds = 0; rounds < 8; rounds += 1) await payer.payDue(laterMs(world, bounds));
}

/** Makes a process die at a step for good: nothing after it is done. */
export function dyingAt(step: number): Step & { died: () => boolean } {
  let steps = 0;
  const count = async () => {
    steps += 1;
    if (steps >= step) throw new Crash();
  };
  return Object.assign(count, { died: () => steps >= step });
}

/**
 * Repeats a run with a process that dies at step 1, 2, ... until one run survives.
 * @returns the number of that run
 */
export async function everyDeath(run: (dying: Step, at: number) => Promise<void>): Promise<number> {
  for (let at = 1; ; at += 1) {
    const dying = dyingAt(at);
    await run(dying, at);
    if (!dying.died()) return at;
  }
}

/** Runs a callback before a step of the process, which then continues. */
export function meetingAt(step: number, meanwhile: () => unknown): Step & { met: () => boolean } {
  let steps = 0;
  const count = async () => {
    steps += 1;
    if (steps === step) await meanwhile();
  };
  return Object.assign(count, { met: () => steps >= step });
}

export function onlyCrashes(err: unknown): void {
  if (!(err instanceof Crash)) throw err;
}

/**
 * Returns the inconsistencies of the books: each line must match its record, each bucket the sum of its lines, to the
 * micro-CORD, and no friend may have two lines.
 */
export function findInconsistencies({ members, sums }: Disk): string[] {
  const wrong: string[] = [];
  const seen = new Set<string>();
  const check = (what: string, stored: unknown, made: unknown) => {
    if (stored !== made) wrong.push(`${what} is ${stored}, computed ${made}`);
  };
  for (const [id, { lines, sumMicro, size, friends }] of sums) {
    const [referrerId = ''] = id.split(':');
    const all = Object.entries(lines);
    check(
      `sum of ${id}`,
      sumMicro,
      all.reduce((sum, [, { c }]) => sum + c, 0n),
    );
    check(`size of ${id}`, size, all.length);
    check(`friends of ${id}`, friends, all.filter(([, { r }]) => !r).length);
    for (const [friendId, { c, r = false }] of all) {
      if (seen.has(friendId)) wrong.push(`${friendId} has two lines`);
      seen.add(friendId);
      const { friend, referredBy } = members.get(friendId) ?? {};
      check(`line of ${friendId}`, c, friend?.countedMicro);
      check(`friend ${friendId} who counts for nobody`, r, friend && isExcluded(friend));
      check(`referrer of ${friendId}`, referrerId, referredBy?.userId);
    }
  }
  return wrong;
}

/** Returns the counted total of a referrer's friends, micro-CORD. */
export function sumOf({ disk }: World, referrerId: string): bigint {
  return [...disk.sums].reduce((sum, [id, head]) => (id.startsWith(`${referrerId}:`) ? sum + head.sumMicro : sum), 0n);
}
