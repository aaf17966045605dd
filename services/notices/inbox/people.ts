import { documentSchema, type Schemed, upgrade } from '@cord/kit/document-schema';
import type { Mine } from '@cord/kit/periodic';
import { mineAmong } from '@cord/kit/store/mine-among';
import { type Versioned, type VersionedDocuments, versionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';

export const PEOPLE = 'people';

/** What is kept of one user beside the notices. */
export interface PersonDoc extends Versioned, Schemed {
  /** Deleted: what still arrives makes no notice. */
  erased?: true;
  /** The streak as its owner told it last, by the version of that. */
  streak?: { seq: bigint; dayKey: string; days: number };
  /** The UTC day that ends the streak unless the user checks in; gone once it was told of, or the day is over. */
  closesOn?: string;
  /** Epochs whose notice was read, and when, ms since epoch. */
  epochsRead?: Record<string, number>;
}

/** The schemas that these documents have had. */
export const PERSON = documentSchema<PersonDoc>('record of notices');

export interface People {
  docs: VersionedDocuments<PersonDoc>;
  isErased(userId: string): Promise<boolean>;
  /** Those whose streak closes on that day or closed before it, the longest first. */
  closing(upToDay: string, limit: number, mine: Mine): Promise<PersonDoc[]>;
}

export function openPeople(connection: Connection): People {
  const people = connection.collection<PersonDoc>(PEOPLE);
  const read = (stored: PersonDoc) => upgrade(stored, PERSON);
  return {
    docs: versionedDocuments<PersonDoc>(connection, PEOPLE, (id) => ({ _id: id, seq: 0n }), read),
    isErased: async (userId) => (await people.findOne({ _id: userId }, { projection: { erased: 1 } }))?.erased === true,
    async closing(upToDay, limit, mine) {
      const found = people.find({ closesOn: { $lte: upToDay } }).sort({ closesOn: 1 });
      return ((await mineAmong(found, limit, mine)) as PersonDoc[]).map(read);
    },
  };
}
