import type { SwitchName } from '@cord/contracts/switches';
import { type Versioned, type VersionedDocuments, versionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';

/** A switch that is off: since when, by whom and why. */
export interface SwitchOff {
  name: SwitchName;
  why: string;
  /** An admin's id, or the operator's name. */
  by: string;
  /** ms since epoch. */
  atMs: number;
}

/** All that are off, in one document. */
export interface SwitchesDocument extends Versioned {
  off: SwitchOff[];
}

/** Id of the only document. */
export const ALL = 'all';

export function openSwitches(connection: Connection): VersionedDocuments<SwitchesDocument> {
  return versionedDocuments<SwitchesDocument>(connection, 'switches', (id) => ({ _id: id, seq: 0n, off: [] }));
}
