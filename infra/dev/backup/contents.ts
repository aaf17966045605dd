import type { mongo } from 'mongoose';
import { CLOCK_FILE } from '../../../services/kit/clock-file.ts';

/**
 * What of the databases is in a backup, and what an import leaves standing. `services/data-map.md` has the purpose of each collection.
 */

/** Names of collections by service. */
type ByService = Readonly<Record<string, readonly string[]>>;

/** In the order in which they are read. The ledger is last, so that no other is ahead of it, were they not of one instant. */
export const SERVICES = ['auth', 'notices', 'leaderboard', 'referrals', 'rewards', 'tasks', 'mining'];

export const databaseOf = (service: string) => `cord_${service}`;

/** Of one system at one time: leases, places in streams that are filled anew, windows of limits, auth's last answer about switches, what the migration has made. */
const OF_EVERY_SERVICE = [
  'leases',
  'streams',
  'recently_published',
  'rate_windows',
  'switches_kept',
  'schema',
  'imports',
];

/** Never there: everybody signs in again, with a key that is made anew; the board and the audit are made again from the rest, and a backup is of one store. */
const LEFT_OUT: ByService = {
  auth: ['sessions', 'oauth_transactions', 'revocations', 'signing_keys'],
  leaderboard: ['snapshots', 'profiles'],
  mining: ['audits', 'backups'],
};

/** Nothing but hashes under ADDRESS_HASH_KEY, which mean nothing without it. */
const OF_ADDRESSES: ByService = { auth: ['mined_sessions', 'mined_addresses', 'addresses'] };

/** Never replaced: who was erased since stays erased (services/README.md#erasure). What the file holds of them is put beside it. */
export const ERASURES: ByService = { auth: ['erasures', 'tombstones'] };

/**
 * Never replaced: erasures, and the signed log of the ledger's roots. A log that was set back would sign a second root of a size; kept, it refuses to
 * go on from accounts that are behind its last root. One that comes out of a file is marked, and signs nothing until a person has confirmed it
 * (services/mining/README.md#roots-of-days).
 */
export const KEPT: ByService = { ...ERASURES, mining: ['root_records', 'root_tiles', 'root_heads', 'root_log'] };

/** Hashes under TOMBSTONE_KEY: under another key they would forbid nothing. */
export const UNDER_TOMBSTONE_KEY: readonly (readonly [service: string, collection: string])[] = [
  ['auth', 'tombstones'],
  ['rewards', 'signatures'],
];

/** @param withSecrets whether ADDRESS_HASH_KEY comes along */
export function isIn(service: string, collection: string, withSecrets: boolean): boolean {
  const out = [
    ...OF_EVERY_SERVICE,
    ...(LEFT_OUT[service] ?? []),
    ...(withSecrets ? [] : (OF_ADDRESSES[service] ?? [])),
  ];
  return !out.includes(collection);
}

/** By what a collection is read: entries as the audit goes through them, by user. */
export const orderOf = (service: string, collection: string): Record<string, 1 | -1> =>
  service === 'mining' && collection === 'entries' ? { userId: 1, seq: -1 } : { _id: 1 };

interface Address {
  key: string | null;
  unknown?: boolean;
}

/** Changes a document in place. */
export type Change = (document: mongo.BSON.Document) => void;

/** Takes the hashes of addresses out of a document, in place; the collections that hold any, by service. */
const WITHOUT_ADDRESSES: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  auth: {
    assessments(assessment) {
      delete assessment.addressHash;
      // Who counts nowhere is not looked at again.
      delete assessment.recheckAtMs;
      delete assessment.moved;
      for (const { payload } of assessment.outbox ?? []) if (payload?.addressKey) payload.addressKey = null;
    },
    audit(entry) {
      if (entry.action?.startsWith('address.')) entry.target = '';
    },
  },
  mining: {
    accounts({ node, outbox }) {
      Object.assign(node, { addressHash: null, addresses: [] });
      if (node.published) node.published.addressHash = null;
      for (const item of outbox ?? []) {
        if (item.session) item.session.addressHash = null;
        if (item.addresses) item.addresses = [];
      }
    },
  },
  referrals: {
    members(member) {
      forgetKey(member.address);
      delete member.mined;
      if (Array.isArray(member.recounting)) member.recounting = true;
    },
    buckets({ friends }) {
      for (const friend of Object.values<{ address?: Address }>(friends ?? {})) forgetKey(friend.address);
    },
  },
};

/** Referrals keeps a hold as it is while the key is unknown, which differs from an address that counts nowhere. */
function forgetKey(address: Address | undefined) {
  if (!address || address.key === null) return;
  address.key = null;
  address.unknown = true;
}

/** @returns undefined for a collection without addresses */
export const withoutAddresses = (service: string, collection: string): Change | undefined =>
  WITHOUT_ADDRESSES[service]?.[collection];

/** Of local mode: the moved clock, the stand-in's accounts, the chain of this machine. Names of files in the data folder. */
export const LOCAL_FILES = [CLOCK_FILE, 'discord.json', 'solana/journal.jsonl'];
