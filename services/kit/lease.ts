import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import type { Clock } from './clock.js';
import { insertOnce } from './store-errors.js';

/** A right of one holder at a time, until it expires. */
export interface Lease {
  release(): Promise<void>;
}

export type Leases = ReturnType<typeof createLeases>;

/** The part that recurring work needs. */
export type SharedLeases = Pick<Leases, 'acquire'>;

interface LeaseDocument {
  _id: string;
  holder: string;
  untilMs: number;
}

/**
 * Leases in the service's own store, by the kit's clock: one document each, acquired atomically.
 * @param holder the replica's own name: a killed replica regains its leases as soon as it is back
 */
export function createLeases(store: Connection, clock: Clock, holder: string = randomUUID()) {
  const leases = () => store.collection<LeaseDocument>('leases');
  /** Leases of this process with their expiry; no other process can acquire them before. */
  const held = new Map<string, number>();

  const isAnothers = async (name: string, nowMs: number): Promise<boolean> => {
    const others: mongo.Filter<LeaseDocument> = { _id: name, holder: { $ne: holder }, untilMs: { $gt: nowMs } };
    return (await leases().findOne(others, { projection: { _id: 1 } })) !== null;
  };
  const take = async (name: string, ttlMs: number): Promise<void> => {
    const nowMs = clock.now();
    held.delete(name);
    // A read is cheaper than a write that fails on another's lease.
    if (await isAnothers(name, nowMs)) return;
    const untilMs = nowMs + ttlMs;
    const free = { _id: name, $or: [{ holder }, { untilMs: { $lte: nowMs } }] };
    // When another holder was faster, the upsert fails because the _id exists.
    const taken = await insertOnce(() => leases().updateOne(free, { $set: { holder, untilMs } }, { upsert: true }));
    if (taken) held.set(name, untilMs);
  };
  const release = async (name: string): Promise<void> => {
    held.delete(name);
    // Without the store it expires by itself.
    if (store.readyState === 1) await leases().deleteOne({ _id: name, holder });
  };

  return {
    /**
     * Acquires a lease, or renews it after half of its time; before that nothing is written.
     * @param ttlMs twice as long as the work takes: a process that may still work after expiry must check again
     * @returns null while another holds it
     */
    async acquire(name: string, ttlMs: number): Promise<Lease | null> {
      const knownMs = held.get(name) ?? Number.NEGATIVE_INFINITY;
      if (knownMs - clock.now() <= ttlMs / 2) await take(name, ttlMs);
      return held.has(name) ? { release: () => release(name) } : null;
    },
    /** Returns the names of the leases held now. */
    held: () => [...held].flatMap(([name, untilMs]) => (untilMs > clock.now() ? [name] : [])),
    /** Releases all leases of this process, at its stop. */
    async releaseAll() {
      if (held.size === 0) return;
      held.clear();
      await leases().deleteMany({ holder });
    },
  };
}
