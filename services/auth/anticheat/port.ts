import type { Assessment } from './levels.js';

/** How a user stands with the network check, and when that was looked at. */
export interface NetworkStanding extends Assessment {
  /** Where the user counts: most of the mining was there; null below one hour everywhere. */
  addressHash: string | null;
  addressIsShared: boolean;
  /** An admin cleared the user, and the clear has not ended. */
  cleared: boolean;
  /** When the clear ends, has ended or was taken back, ms since epoch; absent or null where there was none. */
  clearedUntilMs?: number | null;
  /** When an admin's clear ended a reduced rate, ms since epoch; absent or null where none did, or before that was kept. */
  wholeSinceMs?: number | null;
  checkedAtMs: number;
}

/** What an assessment came to, from then until the next. */
export interface PastAssessment {
  atMs: number;
  /** What the rate was multiplied by, x 100. */
  factorHundredths: number;
  /** Accounts that counted at the address, the user's included. */
  accounts: number;
}

/** A counted network address, known by its keyed hash only. */
export interface CountedAddress {
  _id: string;
  /** Users who count at it. */
  users: number;
  /** An admin marked it as shared by many people: no penalty (services/contracts/rules/README.md#network-check). */
  shared: boolean;
  /** When an admin marked it last, or took that back, ms since epoch; absent where none did. */
  markedAtMs?: number;
  seenAtMs: number;
}

/** What an admin's clear was decided on: it is another one after each clear, and after each that was taken back. */
export type ClearState = Pick<NetworkStanding, 'cleared' | 'clearedUntilMs'>;

/** An account that counts at an address: node time of the last 30 days, ms. */
interface AccountAtAddress {
  userId: string;
  minedHereMs: number;
  minedElsewhereMs: number;
  /** The first day that it mined there, of those that are kept; null where it only counts there. */
  firstDay: string | null;
}

/** An address at which a user mined, ms of node time. */
interface MinedAt extends CountedAddress {
  minedMs: number;
  /** When the user mined there last. */
  lastAtMs: number;
}

/** What an address's place among the crowded ones is made of. */
export type AddressPlace = Pick<CountedAddress, 'users' | '_id'>;

/**
 * The network check: who mined from the same address, and what that does to the rate. All that the
 * rest of auth uses of it; it consumes mining's events itself (`events.ts`) and could be lifted out with its folder.
 */
export interface AntiCheat {
  /** The user's standing, at most 5 minutes old. */
  status(userId: string): Promise<NetworkStanding>;
  /** x 100, as last assessed; 100 for a user who was never assessed. Never looks anew. */
  efficiencyOf(userId: string): Promise<number>;
  /**
   * An admin clears a user, or takes that back.
   * @param from what it was decided on @throws Problem 409 where others have decided otherwise since
   */
  clear(userId: string, cleared: boolean, from: ClearState): Promise<NetworkStanding>;
  /**
   * An admin marks an address as shared by many people, or takes that back: few who count there are assessed at once, all others by the next sweep. False for an unknown address.
   * @param from what it was decided on; null for an unknown address @throws Problem 409 where others have decided otherwise since
   */
  markShared(addressHash: string, shared: boolean, from: CountedAddress | null): Promise<boolean>;
  /** Addresses with more than one user, the most crowded first; those after a place. */
  crowded(page: { after: AddressPlace | null; limit: number }): Promise<CountedAddress[]>;
  /** How many addresses cost who mines there, and are not marked as shared. */
  penalisedAddresses(): Promise<number>;
  /** One address; null for an unknown one. */
  address(addressHash: string): Promise<CountedAddress | null>;
  /** The accounts that count at an address, the first ones by their ids, with what each has mined in 30 days. */
  accountsAt(addressHash: string, limit: number): Promise<AccountAtAddress[]>;
  /** The addresses at which the user mined in 30 days, most of the mining first, with what is known of each. */
  addressesOf(userId: string): Promise<MinedAt[]>;
  /** How these users stand, as last assessed; who never was is not there. */
  standings(userIds: readonly string[]): Promise<ReadonlyMap<string, NetworkStanding>>;
  /** What assessments came to in the last 30 days and just before, oldest first; each holds until the next. */
  historyOf(userId: string): Promise<readonly PastAssessment[]>;
  /** Everything held of the user, for the export: addresses as keyed hashes, 30 days. */
  heldOf(userId: string): Promise<{ assessment: object | null; addresses: object[] }>;
  /** The user is gone: no trace of the addresses stays, and the others at the address are assessed anew. */
  forget(userId: string): Promise<void>;
}
