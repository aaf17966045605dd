import { fnv1a, mixed } from './hash.js';

/**
 * One writer a user, most of the time (services/README.md#events): which replica of a service has which users. Gateway and services
 * work it out alike from the numbers of the replicas that are there, without a lease: where they disagree for a moment, a
 * call meets a replica that has to read first, and the compare-and-set decides as ever.
 */

/** Users are divided into so many parts. */
export const PARTITIONS = 64;

/** The part of a user, 0 to PARTITIONS - 1: the same in every release. */
export function partitionOf(userId: string): number {
  return mixed(fnv1a(userId)) % PARTITIONS;
}

/**
 * The replica that has a partition, by rendezvous: of a replica that comes or goes only its own share moves.
 * @param replicas numbers of the replicas that are there, each once, in any order
 * @returns undefined where there is none
 */
export function ownerOf(partition: number, replicas: Iterable<number>): number | undefined {
  let owner: number | undefined;
  let highest = -1;
  for (const replica of replicas) {
    const weight = mixed(fnv1a(`${replica}:${partition}`));
    if (weight < highest || (weight === highest && owner !== undefined && owner < replica)) continue;
    highest = weight;
    owner = replica;
  }
  return owner;
}

/** The subject of a request for one part of the users, below the general one. */
export function partitionSubject(subject: string, partition: number): string {
  return `${subject}.p${partition}`;
}

/** The subject on which a replica answers that yields to the others of its service, below the general one: requests come to it where no other answers. */
export function fallbackSubject(subject: string): string {
  return `${subject}.fallback`;
}

/** Whether a request has one: those for rights go to auth's own account, which has one subject. */
export const hasFallback = (subject: string): boolean => subject.startsWith('cord.rpc.');

/** The general subject of a request, also of one for one part of the users, or for a replica that yields. */
export function generalSubject(subject: string): string {
  return subject.replace(/\.(?:p\d{1,2}|fallback)$/, '');
}
