import type { Leases } from '../lease.js';

/** Leases of a replica that is alone: everything is its own. */
export function aloneWithLeases(): Leases {
  return {
    holder: 'alone',
    acquire: async (name) => ({ name, leaseUntilMs: 0, release: async () => undefined }),
    share: async (_work, parts) => ({ parts: Array.from({ length: parts }, (_, part) => part), over: [] }),
    release: async () => undefined,
    held: () => [],
    releaseAll: async () => undefined,
  };
}
