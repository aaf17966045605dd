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
 * Erases again who was erased since the backup was made: the record of the person goes at once, the rest by auth's sweep, which
 * finds the erasure due, and in the other services by user.erased, which stands in the stream for everybody of the list. The list
 * is never replaced by an import, so that it holds all that this system ever erased; of a system that is no more its last list
 * comes in a file. An erasure that was under way when the backup was made is due again, also where the list has it as finished: the
 * backup brings back what was left to erase.
 * @param list as `export --erasures-only` made it
 * @returns how many people of the backup were erased since
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
  // Due first: broken off here, the sweep does the rest.
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
