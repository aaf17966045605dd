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
   * Takes or prolongs a lease. @returns null while another holds it
   * @param ttlMs longer than the work takes: whoever may still work after the end must check again
   */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
}

interface LeaseDocument {
  _id: string;
  holder: string;
  untilMs: number;
}

/** Leases in the service's own store, by the kit's clock; one document each, taken by one atomic step. */
export function createLeases(store: Connection, clock: Clock, holder: string = randomUUID()): Leases {
  const leases = () => store.collection<LeaseDocument>('leases');
  return {
    holder,
    async acquire(name, ttlMs) {
      const nowMs = clock.now();
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
      return {
        name,
        leaseUntilMs,
        release: async () => void (await leases().deleteOne({ _id: name, holder })),
      };
    },
  };
}
