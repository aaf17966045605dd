import type { Connection } from 'mongoose';

/** Stands in every database while an import replaces what is in it; who finds one has half of the old data and half of the new. */
interface ImportMark {
  _id: 'import';
  /** The file, as it was named. */
  file: string;
  atMs: number;
}

const marks = (store: Connection) => store.collection<ImportMark>('imports');

/** What to do about half of an import. */
export const IMPORT_AGAIN =
  'half of an import is here: run "npx cord data import FILE" again, with the same file or another';

/** A store that holds half of an import: nothing may work on it. */
export class HalfImported extends Error {
  constructor() {
    super(IMPORT_AGAIN);
  }
}

export async function markImport(store: Connection, file: string, atMs: number): Promise<void> {
  await marks(store).updateOne({ _id: 'import' }, { $set: { file, atMs } }, { upsert: true });
}

/** All of it is there. */
export async function endImport(store: Connection): Promise<void> {
  await marks(store).deleteOne({ _id: 'import' });
}

export async function isHalfImported(store: Connection): Promise<boolean> {
  return (await marks(store).findOne({ _id: 'import' })) !== null;
}
