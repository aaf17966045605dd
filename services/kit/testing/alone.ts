import type { Leases } from '../lease.js';

/** Leases of a replica that is alone: everything is its own. */
export function aloneWithLeases(): Leases {
  return {
    acquire: async () => ({ release: async () => undefined }),
    held: () => [],
    releaseAll: async () => undefined,
  };
}
