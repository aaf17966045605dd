import type { mongo } from 'mongoose';
import { CLOCK_FILE } from '../../../services/kit/clock-file.ts';

/**
 * Defines which collections a backup contains and which an import keeps. `services/data-map.md` has the purpose of each collection.
 */

/** Names of collections by service. */
type ByService = Readonly<Record<string, readonly string[]>>;

/** Services in reading order. The ledger is last: without one common instant, no other service is ahead of it. */
export const SERVICES = ['auth', 'notices', 'leaderboard', 'referrals', 'rewards', 'tasks', 'mining'];

export const databaseOf = (service: string) => `cord_${service}`;

/** Never in a backup, since they belong to one running system: leases, stream positions, limits, switches. */
export const OF_EVERY_SERVICE = [
  'leases',
  'streams',
  'recently_published',
  'rate_windows',
  'switches_kept',
  'schema',
  'imports',
];

/** Never in a backup: users sign in again with new keys; board and audit are rebuilt; `backups` is per store. */
export const LEFT_OUT: ByService = {
  auth: ['sessions', 'oauth_transactions', 'revocations', 'signing_keys'],
  leaderboard: ['snapshots'],
  mining: ['audits', 'backups'],
};

/** Collections of hashes under ADDRESS_HASH_KEY; useless without that key. */
export const OF_ADDRESSES: ByService = { auth: ['mined_addresses', 'addresses'] };

/** Never replaced by an import: a user erased since stays erased (services/README.md#erasure). The file's entries are added. */
export const ERASURES: ByService = { auth: ['erasures', 'tombstones'] };

/**
 * Never replaced by an import: erasures, and the signed log of the ledger's roots. A log that was set back would sign a
 * second root for a size; a kept log refuses to continue from accounts behind its last root. A log from a file is
 * marked and signs nothing until a person confirms it (services/mining/README.md#roots-of-days).
 */
export const KEPT: ByService = { ...ERASURES, mining: ['root_records', 'root_tiles', 'root_heads', 'root_log'] };

/** Collections of hashes under TOMBSTONE_KEY; under another key they would match nothing. */
export const UNDER_TOMBSTONE_KEY: readonly (readonly [service: string, collection: string])[] = [
  ['auth', 'tombstones'],
  ['rewards', 'signatures'],
  ['rewards', 'returns'],
];

/** @param withSecrets whether the backup includes ADDRESS_HASH_KEY */
export function isIn(service: string, collection: string, withSecrets: boolean): boolean {
  const out = [
    ...OF_EVERY_SERVICE,
    ...(LEFT_OUT[service] ?? []),
    ...(withSecrets ? [] : (OF_ADDRESSES[service] ?? [])),
  ];
  return !out.includes(collection);
}

/** Returns the sort order of a collection's export. Entries are sorted by user, as the audit reads them. */
export const orderOf = (service: string, collection: string): Record<string, 1 | -1> =>
  service === 'mining' && collection === 'entries' ? { userId: 1, seq: -1 } : { _id: 1 };

interface Address {
  key: string | null;
  unknown?: boolean;
}

/** Changes a document in place. */
export type Change = (document: mongo.BSON.Document) => void;

/** Removes address hashes from a document in place, by service and collection. */
export const WITHOUT_ADDRESSES: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  auth: {
    assessments(assessment) {
      delete assessment.addressHash;
      // An assessment without an address hash needs no recheck.
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
  },
};

/** Marks the key as unknown: referrals then keeps a hold unchanged, unlike for an address that counts nowhere. */
function forgetKey(address: Address | undefined) {
  if (!address || address.key === null) return;
  address.key = null;
  address.unknown = true;
}

/** @returns undefined for a collection without addresses */
export const withoutAddresses = (service: string, collection: string): Change | undefined =>
  WITHOUT_ADDRESSES[service]?.[collection];

/** Files of local mode in the data folder: the moved clock, the stand-in's accounts, the chain of this machine. */
export const LOCAL_FILES = [CLOCK_FILE, 'discord.json', 'solana/journal.jsonl'];
