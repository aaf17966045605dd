import { aloneWithLeases } from '@cord/kit/testing/alone';
import { type Documents, MemoryCollection, memoryConnection } from '@cord/kit/testing/simulation/memory-collection';
import { type Books, createBooks } from '../books.js';
import { countsForNobody, newFriend } from '../domain/friend.js';
import { createDues } from '../dues.js';
import { type Announced, createFollow, FOLLOW_BOUNDS } from '../follow.js';
import { createLately, LATELY_BOUNDS } from '../lately.js';
import { type Member, newMember } from '../member.js';
import { createPayer, PAYER_BOUNDS, type PayerBounds } from '../payer.js';
import { openStore } from '../store.js';
import type { SumDocument } from '../sum-store.js';
import { createSums } from '../sums.js';

/** What a process may touch: each call is one step, before which another process may run, or this one may die. */
export type Step = (what: string) => Promise<void>;

/** All that survives a crash, by collection. */
export interface Disk {
  members: Map<string, Member>;
  sums: Map<string, SumDocument>;
}

export const newDisk = (): Disk => ({ members: new Map(), sums: new Map() });

/** The store of one process over a disk: each read and each write of a collection is a step. */
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
/** What the ledger takes of a total at once: less than what is due in these tests. */
const STEP_MICRO = 60n;
export const [REFERRER, OTHER, FRIEND, BUDDY, THIRD] = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
  string,
  string,
];

/** Everything that survives: the disk, and the ledger with the commission of each user. */
export interface World {
  disk: Disk;
  ledger: Map<string, bigint>;
  /** What friends' owners have announced last. */
  announced: Map<string, Announced>;
  ledgerIsAway: boolean;
  /** Operators have switched it off. */
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

/** One process over a world. @param broken what of its books does otherwise */
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
  // Few friends a bucket where all is small: then a full one is met too.
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
  const [leases, log] = [aloneWithLeases(), { warn: () => undefined, info: () => undefined }];
  const { quietMs } = bounds;
  const isOn = async () => !world.commissionIsOff;
  const lately = createLately({
    sums: store.sums,
    ledger,
    clock,
    log,
    isOn,
    bounds: { ...LATELY_BOUNDS, quietMs },
  });
  const lastOf = async (userId: string) => {
    await step('read the stream');
    return world.announced.get(userId) ?? null;
  };
  const following = { ...FOLLOW_BOUNDS, againMs: quietMs * 5, batch: bounds.batch, atOnce: bounds.atOnce };
  const follow = createFollow({
    store,
    books,
    lately,
    lastOf,
    finalAccountOf: async (userId: string) => (await lastOf(userId))?.account ?? null,
    clock,
    log,
    bounds: following,
  });
  const paying = { clock, leases, log: log as never, ledger, isOn, bounds };
  const payer = createPayer({ ...paying, store, books: { ...books, ...broken }, follow, dues });
  return { books, payer, store, dues, follow, lately };
}

export const account = (accountSeq: bigint, eligibleMicro: bigint, ranMs = 0) => ({
  accountSeq,
  eligibleMicro,
  totalMicro: eligibleMicro,
  ranMs,
});

/** Two friends of one referrer and one of another, who have earned nothing yet. */
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

/** When everything that is marked has come due. */
export const laterMs = ({ nowMs }: World, { quietMs }: PayerBounds) => nowMs + quietMs;

/** Rounds as they come with time; more than enough for what is due here. */
export async function timePasses(world: World, bounds: PayerBounds = PAYER_BOUNDS): Promise<void> {
  const { payer } = processOf(world, never, bounds);
  for (let rounds = 0; rounds < 8; rounds += 1) await payer.payDue(laterMs(world, bounds));
}

/** Dies at a step for good: whatever the process had still to do, it does not. */
export function dyingAt(step: number): Step & { died: () => boolean } {
  let steps = 0;
  const count = async () => {
    steps += 1;
    if (steps >= step) throw new Crash();
  };
  return Object.assign(count, { died: () => steps >= step });
}

/**
 * Runs with a process that dies at its first step, then at its second, until one lives through all of them.
 * @returns the number of that run
 */
export async function everyDeath(run: (dying: Step, at: number) => Promise<void>): Promise<number> {
  for (let at = 1; ; at += 1) {
    const dying = dyingAt(at);
    await run(dying, at);
    if (!dying.died()) return at;
  }
}

/** Something happens before a step of the process, which then goes on. */
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
 * What does not add up in the books, from the friends' records up to the buckets, to the micro-CORD: each line is its record,
 * each bucket the sum of its lines, and no friend has two lines.
 */
export function wrongsOf({ members, sums }: Disk): string[] {
  const wrong: string[] = [];
  const seen = new Set<string>();
  const check = (what: string, stored: unknown, made: unknown) => {
    if (stored !== made) wrong.push(`${what} is ${stored}, made of ${made}`);
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
      check(`friend ${friendId} who counts for nobody`, r, friend && countsForNobody(friend));
      check(`referrer of ${friendId}`, referrerId, referredBy?.userId);
    }
  }
  return wrong;
}

/** What all friends of a referrer count, micro-CORD. */
export function sumOf({ disk }: World, referrerId: string): bigint {
  return [...disk.sums].reduce((sum, [id, head]) => (id.startsWith(`${referrerId}:`) ? sum + head.sumMicro : sum), 0n);
}
