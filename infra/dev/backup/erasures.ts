import type { mongo } from 'mongoose';
import { documentOf, valuesOf } from './bson.ts';
import { ERASURES } from './contents.ts';
import type { Backup } from './read.ts';

interface ById {
  _id: string;
}

const BATCH = 1_000;
const DUPLICATE_KEY = 11000;

/**
 * Repeats the erasures made since the backup. The user record goes at once; auth's sweep finds the erasure due and
 * removes the rest, and user.erased in the stream reaches the other services. An import never replaces the list of
 * erasures, so it contains all that this system ever erased. For a lost system, a file brings its last list. An erasure
 * that was under way in the backup is due again even when the list has it as finished, because the backup restores what
 * was still to be erased.
 * @param list made by `export --erasures-only`
 * @returns the number of users in the backup erased since
 */
export async function replayErasures(auth: mongo.Db, backup: Backup, list?: Backup): Promise<number> {
  if (list) for (const name of ERASURES.auth ?? []) await add(auth.collection(name), list.batches('auth', name));
  for await (const batch of backup.batches('auth', 'erasures')) {
    const underWay = batch.map(valuesOf).filter(({ dueAtMs }) => dueAtMs != null);
    await makeDue(
      auth,
      underWay.map(({ _id }) => _id),
    );
  }
  let again = 0;
  for (let after = ''; ; ) {
    const page = await auth
      .collection<ById>('erasures')
      .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    if (page.length === 0) return again;
    after = page.at(-1)?._id ?? after;
    again += await erase(
      auth,
      page.map(({ _id }) => _id),
    );
  }
}

async function erase(auth: mongo.Db, ids: string[]) {
  const back = await auth
    .collection<ById>('users')
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  const found = back.map(({ _id }) => _id);
  if (found.length === 0) return 0;
  // Marks them due first: if the import is aborted here, the sweep does the rest.
  await makeDue(auth, found);
  await auth.collection<ById>('users').deleteMany({ _id: { $in: found } });
  return found.length;
}

async function makeDue(auth: mongo.Db, ids: string[]) {
  await auth.collection<ById>('erasures').updateMany({ _id: { $in: ids } }, { $set: { dueAtMs: 0 } });
}

async function add(collection: mongo.Collection, batches: AsyncGenerator<Buffer[]>) {
  for await (const batch of batches) {
    await collection.insertMany(batch.map(documentOf), { ordered: false }).catch((error: mongo.MongoBulkWriteError) => {
      if (![error.writeErrors ?? []].flat().every(({ code }) => code === DUPLICATE_KEY)) throw error;
    });
  }
}
