import type { Connection } from 'mongoose';

/** Present in every database while an import replaces its data: a database with it is half old and half new. */
interface ImportMark {
  _id: 'import';
  /** The imported file, as given. */
  file: string;
  atMs: number;
}

const marks = (store: Connection) => store.collection<ImportMark>('imports');

/** Instruction after a partial import. */
export const IMPORT_AGAIN =
  'an import is incomplete: run "npx cord data import FILE" again, with the same file or another';

/** The store holds a partial import: nothing may work on it. */
export class HalfImported extends Error {
  constructor() {
    super(IMPORT_AGAIN);
  }
}

export async function markImport(store: Connection, file: string, atMs: number): Promise<void> {
  await marks(store).updateOne({ _id: 'import' }, { $set: { file, atMs } }, { upsert: true });
}

/** Marks the import as complete. */
export async function endImport(store: Connection): Promise<void> {
  await marks(store).deleteOne({ _id: 'import' });
}

export async function isHalfImported(store: Connection): Promise<boolean> {
  return (await marks(store).findOne({ _id: 'import' })) !== null;
}
