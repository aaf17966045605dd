import { randomUUID } from 'node:crypto';
import { fnv1a } from '@cord/contracts/rules/hash';
import type { Connection, mongo } from 'mongoose';
import type { Clock } from './clock.js';
import { duplicatesIn } from './store-errors.js';

/** A right that one holder at a time has, until it ends by itself. */
export interface Lease {
  readonly name: string;
  /** ms since epoch. */
  readonly leaseUntilMs: number;
  release(): Promise<void>;
}

/** What of a work a replica has for now. */
export interface Share {
  /** Numbers of the parts, from 0. */
  readonly parts: readonly number[];
  /** Leases among them that another replica is to have: to be given back when the present run is over. */
  readonly over: readonly string[];
}

export interface Leases {
  /** Names this process among all holders. */
  readonly holder: string;
  /**
   * Takes a lease, or prolongs it once half of its time is over: until then nothing is written.
   * @param ttlMs twice as long as the work takes: whoever may still work after the end must check again
   * @returns null while another holds it
   */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
  /**
   * Takes or prolongs this replica's share of a work that comes again and again: as many of its parts as each other replica has
   * that asked within `ttlMs`. Works of one part are spread over the replicas, too. A part that moves to a replica that has come goes over
   * once its holder has ended the run that it is in, so that no part is left out; one whose holder was killed when its lease ends.
   * @param parts 1 for work that is not divided
   */
  share(work: string, parts: number, ttlMs: number): Promise<Share>;
  /** Gives some back: others go on at once. Without the store they end by themselves. */
  release(names: readonly string[]): Promise<void>;
  /** Those that this process holds now. */
  held(): string[];
  /** Gives back all that this process holds, as it stops. */
  releaseAll(): Promise<void>;
}

/** What shared work needs of them. */
export type SharedLeases = Pick<Leases, 'holder' | 'share' | 'release'>;

interface LeaseDocument {
  _id: string;
  holder: string;
  untilMs: number;
}

/** Stands before the holder in the name of the mark that a replica asks for a share of a work; nothing else has one. */
const MARK = '@';
const isMark = (name: string): boolean => name.includes(MARK);

/** The lease of a part. */
export function partLease(work: string, part: number, parts: number): string {
  return parts === 1 ? work : `${work}.${part}`;
}

/** All leases and marks of a work of so many parts. */
export function leasesOf(work: string, parts: number, holder: string): string[] {
  return [`${work}${MARK}${holder}`, ...Array.from({ length: parts }, (_, part) => partLease(work, part, parts))];
}

/**
 * Leases in the service's own store, by the kit's clock; one document each, taken by one atomic step.
 * @param holder the replica's own name: one that was killed has its leases again as soon as it is back
 */
export function createLeases(store: Connection, clock: Clock, holder: string = randomUUID()): Leases {
  const leases = () => store.collection<LeaseDocument>('leases');
  /** Until when this process holds what: nobody else can take it before. */
  const held = new Map<string, number>();
  const isHeld = (name: string): boolean => (held.get(name) ?? Number.NEGATIVE_INFINITY) > clock.now();

  /** A look is cheaper than a write that another's lease refuses. */
  const takenByOthers = async (names: readonly string[], nowMs: number): Promise<Set<string>> => {
    const found = await leases()
      .find({ _id: { $in: [...names] }, untilMs: { $gt: nowMs } })
      .toArray();
    return new Set(found.flatMap((lease) => (lease.holder === holder ? [] : [lease._id])));
  };
  /** @returns those that it has then: each is this process's, or another's */
  const acquireAll = async (names: readonly string[], ttlMs: number): Promise<Set<string>> => {
    const nowMs = clock.now();
    const wanted = names.filter((name) => (held.get(name) ?? Number.NEGATIVE_INFINITY) - nowMs <= ttlMs / 2);
    for (const name of wanted) held.delete(name);
    const taken = wanted.length > 0 ? await takenByOthers(wanted, nowMs) : undefined;
    const free = wanted.filter((name) => !taken?.has(name));
    const untilMs = nowMs + ttlMs;
    const steps = free.map((name) => ({
      updateOne: {
        filter: { _id: name, $or: [{ holder }, { untilMs: { $lte: nowMs } }] },
        update: { $set: { holder, untilMs } },
        upsert: true,
      },
    }));
    // The upsert meets another holder's document, who was quicker: its _id is taken.
    const lost = steps.length > 0 ? await duplicatesIn(() => leases().bulkWrite(steps, { ordered: false })) : undefined;
    for (const [index, name] of free.entries()) if (!lost?.has(index)) held.set(name, untilMs);
    return new Set(names.filter((name) => held.has(name)));
  };
  /** The replicas that ask for a share of a work, this one among them, in an order that all of them see. */
  const askers = async (work: string, nowMs: number): Promise<string[]> => {
    const marks = { _id: { $gte: `${work}${MARK}`, $lt: `${work}A` }, untilMs: { $gt: nowMs } };
    const found = await leases()
      .find(marks as mongo.Filter<LeaseDocument>)
      .toArray();
    return [...new Set([holder, ...found.map((mark) => mark.holder)])].sort();
  };
  const release = async (names: readonly string[]): Promise<void> => {
    for (const name of names) held.delete(name);
    if (names.length === 0 || store.readyState !== 1) return;
    await leases().deleteMany({ _id: { $in: [...names] }, holder });
  };

  return {
    holder,
    async acquire(name, ttlMs) {
      await acquireAll([name], ttlMs);
      const leaseUntilMs = held.get(name);
      return leaseUntilMs === undefined ? null : { name, leaseUntilMs, release: () => release([name]) };
    },
    async share(work, parts, ttlMs) {
      await acquireAll([`${work}${MARK}${holder}`], ttlMs);
      const there = await askers(work, clock.now());
      const owner = (part: number) => there[(fnv1a(work) + part) % there.length];
      const all = Array.from({ length: parts }, (_, part) => ({ part, name: partLease(work, part, parts) }));
      const wanted = all.filter(({ part, name }) => owner(part) === holder || isHeld(name));
      const got = await acquireAll(
        wanted.map(({ name }) => name),
        ttlMs,
      );
      const mine = wanted.filter(({ name }) => got.has(name));
      const over = mine.filter(({ part }) => owner(part) !== holder);
      return { parts: mine.map(({ part }) => part), over: over.map(({ name }) => name) };
    },
    release,
    held: () => [...held.keys()].filter((name) => !isMark(name) && isHeld(name)),
    async releaseAll() {
      if (held.size === 0) return;
      held.clear();
      await leases().deleteMany({ holder });
    },
  };
}
