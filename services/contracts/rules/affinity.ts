import { fnv1a, mixHash } from './hash.js';

/**
 * One writer per user, most of the time (services/README.md#events): which replica of a service owns which users. The gateway and
 * the services compute it alike from the numbers of the live replicas, without a lease. While they disagree, a call reaches a
 * replica that must read first, and the compare-and-set decides.
 */

/** Number of partitions of the users. */
export const PARTITIONS = 64;

/** Returns the partition of a user, 0 to PARTITIONS - 1: the same in every release. */
export function partitionOf(userId: string): number {
  return mixHash(fnv1a(userId)) % PARTITIONS;
}

/**
 * Returns the owner of a partition, by rendezvous hashing: a replica that joins or leaves moves only its own share.
 * @param replicas numbers of the live replicas, each once, in any order
 * @returns undefined without replicas
 */
export function ownerOf(partition: number, replicas: Iterable<number>): number | undefined {
  let owner: number | undefined;
  let highest = -1;
  for (const replica of replicas) {
    const weight = mixHash(fnv1a(`${replica}:${partition}`));
    if (weight < highest || (weight === highest && owner !== undefined && owner < replica)) continue;
    highest = weight;
    owner = replica;
  }
  return owner;
}

/** Subject of a request for one partition of users, below the general one. */
export function partitionSubject(subject: string, partition: number): string {
  return `${subject}.p${partition}`;
}

/** Subject of a replica that yields to the others of its service, below the general one: it gets requests when no other replica responds. */
export function fallbackSubject(subject: string): string {
  return `${subject}.fallback`;
}

/** Whether a request has a fallback subject: those for rights go to auth's own account, which has one subject. */
export const hasFallback = (subject: string): boolean => subject.startsWith('cord.rpc.');

/** Returns the general subject of a request for a partition or a fallback. */
export function generalSubject(subject: string): string {
  return subject.replace(/\.(?:p\d{1,2}|fallback)$/, '');
}
