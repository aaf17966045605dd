import type { Leases } from '../lease.js';

/** Leases for a single replica: every acquire succeeds. */
export function singleReplicaLeases(): Leases {
  return {
    acquire: async () => ({ release: async () => undefined }),
    held: () => [],
    releaseAll: async () => undefined,
  };
}
