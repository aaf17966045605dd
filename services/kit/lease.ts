import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import type { Clock } from './clock.js';
import { insertOnce } from './store-errors.js';

/** A right that one holder at a time has, until it ends by itself. */
export interface Lease {
  release(): Promise<void>;
}

export type Leases = ReturnType<typeof createLeases>;

/** What recurring work needs of them. */
export type SharedLeases = Pick<Leases, 'acquire'>;

interface LeaseDocument {
  _id: string;
  holder: string;
  untilMs: number;
}

/**
 * Leases in the service's own store, by the kit's clock; one document each, taken by one atomic step.
 * @param holder the replica's own name: one that was killed has its leases again as soon as it is back
 */
export function createLeases(store: Connection, clock: Clock, holder: string = randomUUID()) {
  const leases = () => store.collection<LeaseDocument>('leases');
  /** Until when this process holds what: no other can take it before. */
  const held = new Map<string, number>();

  const isAnothers = async (name: string, nowMs: number): Promise<boolean> => {
    const others: mongo.Filter<LeaseDocument> = { _id: name, holder: { $ne: holder }, untilMs: { $gt: nowMs } };
    return (await leases().findOne(others, { projection: { _id: 1 } })) !== null;
  };
  const take = async (name: string, ttlMs: number): Promise<void> => {
    const nowMs = clock.now();
    held.delete(name);
    // A look is cheaper than a write that another's lease refuses.
    if (await isAnothers(name, nowMs)) return;
    const untilMs = nowMs + ttlMs;
    const free = { _id: name, $or: [{ holder }, { untilMs: { $lte: nowMs } }] };
    // Where the upsert meets another holder's document, who was quicker, its _id is taken.
    const taken = await insertOnce(() => leases().updateOne(free, { $set: { holder, untilMs } }, { upsert: true }));
    if (taken) held.set(name, untilMs);
  };
  const release = async (name: string): Promise<void> => {
    held.delete(name);
    // Without the store it ends by itself.
    if (store.readyState === 1) await leases().deleteOne({ _id: name, holder });
  };

  return {
    /**
     * Takes a lease, or prolongs it once half of its time is over: until then nothing is written.
     * @param ttlMs twice as long as the work takes: a process that may still work after the end must check again
     * @returns null while another holds it
     */
    async acquire(name: string, ttlMs: number): Promise<Lease | null> {
      const knownMs = held.get(name) ?? Number.NEGATIVE_INFINITY;
      if (knownMs - clock.now() <= ttlMs / 2) await take(name, ttlMs);
      return held.has(name) ? { release: () => release(name) } : null;
    },
    /** Names of those that this process holds now. */
    held: () => [...held].flatMap(([name, untilMs]) => (untilMs > clock.now() ? [name] : [])),
    /** Gives back all that this process holds, as it stops. */
    async releaseAll() {
      if (held.size === 0) return;
      held.clear();
      await leases().deleteMany({ holder });
    },
  };
}
