import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Clock } from './clock.js';
import { isDuplicateKey } from './store-errors.js';

/** A right that one holder at a time has, until it ends by itself. */
export interface Lease {
  readonly name: string;
  /** ms since epoch. */
  readonly leaseUntilMs: number;
  release(): Promise<void>;
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
  /** Those that this process holds now. */
  held(): string[];
  /** Gives back all that this process holds, as it stops: others go on at once. */
  releaseAll(): Promise<void>;
}

interface LeaseDocument {
  _id: string;
  holder: string;
  untilMs: number;
}

/**
 * Leases in the service's own store, by the kit's clock; one document each, taken by one atomic step.
 * @param holder the replica's own name: one that was killed has its leases again as soon as it is back
 */
export function createLeases(store: Connection, clock: Clock, holder: string = randomUUID()): Leases {
  const leases = () => store.collection<LeaseDocument>('leases');
  /** Until when this process holds what: nobody else can take it before. */
  const held = new Map<string, number>();
  const leaseOf = (name: string, leaseUntilMs: number): Lease => ({
    name,
    leaseUntilMs,
    async release() {
      held.delete(name);
      await leases().deleteOne({ _id: name, holder });
    },
  });
  /** A look is cheaper than a write that another's lease refuses. */
  const isTaken = async (name: string, nowMs: number): Promise<boolean> => {
    const found = await leases().findOne({ _id: name });
    return found !== null && found.holder !== holder && found.untilMs > nowMs;
  };
  return {
    holder,
    async acquire(name, ttlMs) {
      const nowMs = clock.now();
      const untilMs = held.get(name) ?? Number.NEGATIVE_INFINITY;
      if (untilMs - nowMs > ttlMs / 2) return leaseOf(name, untilMs);
      held.delete(name);
      if (await isTaken(name, nowMs)) return null;
      const leaseUntilMs = nowMs + ttlMs;
      try {
        await leases().updateOne(
          { _id: name, $or: [{ holder }, { untilMs: { $lte: nowMs } }] },
          { $set: { holder, untilMs: leaseUntilMs } },
          { upsert: true },
        );
      } catch (err) {
        // The upsert meets the other holder's document: its _id is taken.
        if (isDuplicateKey(err)) return null;
        throw err;
      }
      held.set(name, leaseUntilMs);
      return leaseOf(name, leaseUntilMs);
    },
    held: () => [...held].flatMap(([name, untilMs]) => (untilMs > clock.now() ? [name] : [])),
    async releaseAll() {
      if (held.size === 0) return;
      held.clear();
      await leases().deleteMany({ holder });
    },
  };
}
