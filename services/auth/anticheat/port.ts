import type { Assessment } from './levels.js';

/** A user's assessment by the network check, and its time. */
export interface NetworkStanding extends Assessment {
  /** The address at which the user counts, with the most mining; null below one hour everywhere. */
  addressHash: string | null;
  addressIsShared: boolean;
  /** Whether an admin's clear of the user is in force. */
  cleared: boolean;
  /** End of the last clear, by time or by its removal, ms since epoch; absent or null without one. */
  clearedUntilMs?: number | null;
  /** When an admin's clear ended a reduced rate, ms since epoch; absent or null without one, or in older documents. */
  wholeSinceMs?: number | null;
  checkedAtMs: number;
}

/** Result of an assessment, in force until the next one. */
export interface PastAssessment {
  atMs: number;
  /** Factor of the rate, x 100. */
  factorHundredths: number;
  /** Accounts that counted at the address, including the user's. */
  accounts: number;
}

/** A counted network address, known by its keyed hash only. */
export interface CountedAddress {
  _id: string;
  /** Number of users who count at it. */
  users: number;
  /** An admin marked it as shared by many people: no penalty (services/contracts/rules/README.md#network-check). */
  shared: boolean;
  /** Time of the last mark or unmark by an admin, ms since epoch; absent without one. */
  markedAtMs?: number;
  seenAtMs: number;
}

/** The state on which a clear is decided: it changes with each clear and with each removal of one. */
export type ClearState = Pick<NetworkStanding, 'cleared' | 'clearedUntilMs'>;

/** An account that counts at an address: node time of the last 30 days, ms. */
interface AccountAtAddress {
  userId: string;
  minedHereMs: number;
  minedElsewhereMs: number;
  /** First stored day on which it mined there; null when no such day is stored. */
  firstDay: string | null;
}

/** An address at which a user mined, ms of node time. */
interface MinedAt extends CountedAddress {
  minedMs: number;
  /** When the user last mined there, ms. */
  lastAtMs: number;
}

/** The position of an address among the crowded ones. */
export type AddressPlace = Pick<CountedAddress, 'users' | '_id'>;

/**
 * The network check: who mined from the same address, and the effect on the rate. The whole interface to the rest of
 * auth. It consumes mining's events itself (`events.ts`) and can be moved out with its folder.
 */
export interface AntiCheat {
  /** Returns the user's assessment, at most 5 minutes old. */
  status(userId: string): Promise<NetworkStanding>;
  /** Returns the factor x 100 of the last assessment, 100 without one. Never assesses again. */
  efficiencyOf(userId: string): Promise<number>;
  /**
   * Clears a user, or removes the clear.
   * @param from state of the decision @throws Problem 409 when it was changed to another one since
   */
  clear(userId: string, cleared: boolean, from: ClearState): Promise<NetworkStanding>;
  /**
   * Marks or unmarks an address as shared. A few users there are assessed at once, the others by the next sweep. False for an unknown address.
   * @param from state of the decision; null for an unknown address @throws Problem 409 when it was changed since
   */
  markShared(addressHash: string, shared: boolean, from: CountedAddress | null): Promise<boolean>;
  /** Returns addresses with more than one user, most crowded first, after a cursor. */
  crowded(page: { after: AddressPlace | null; limit: number }): Promise<CountedAddress[]>;
  /** Counts the addresses that reduce the rate and are not marked as shared. */
  penalisedAddresses(): Promise<number>;
  /** Returns one address; null for an unknown one. */
  address(addressHash: string): Promise<CountedAddress | null>;
  /** Returns the first accounts, by id, that count at an address, with the mined time of each in 30 days. */
  accountsAt(addressHash: string, limit: number): Promise<AccountAtAddress[]>;
  /** Returns the addresses at which the user mined in 30 days, most mining first. */
  addressesOf(userId: string): Promise<MinedAt[]>;
  /** Returns the last assessments of these users; a user without one is missing. */
  standings(userIds: readonly string[]): Promise<ReadonlyMap<string, NetworkStanding>>;
  /** Returns the results of the last 30 days and the one before, oldest first; each is in force until the next. */
  historyOf(userId: string): Promise<readonly PastAssessment[]>;
  /** Returns everything stored about the user, for the export: addresses as keyed hashes, 30 days. */
  heldOf(userId: string): Promise<{ assessment: object | null; addresses: object[] }>;
  /** Erases the user's addresses, and assesses the others at the address again. */
  forget(userId: string): Promise<void>;
}
