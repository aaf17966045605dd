import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/*
 * npm run audit [-- --data DIR]: recomputes every balance from the entries, on a running or a stopped system.
 * What it found is kept beside the ledger, in `audits`, for mining's figures.
 * Last line `RESULT drift_micro=N accounts=N`; exit 1 on drift, 2 when there is nothing to audit, or what only a newer release reads (interface.md, Commands).
 */

const DATABASE = 'cord_mining';
const SELECTION_TIMEOUT_MS = 10_000;
const SHOWN_MAX = 20;

function dataFolder() {
  const { values } = parseArgs({ options: { data: { type: 'string' } }, strict: true });
  return resolve(values.data ?? process.env.CORD_DATA ?? '.data');
}

async function audit() {
  const [{ mongo }, { storeOf }, { recompute }, { ledgerReading }] = await Promise.all([
    import('mongoose'),
    import('../dev/starter/store-of.mjs'),
    import('./recompute.mjs'),
    import('./schema.mjs'),
  ]);
  const store = await storeOf(dataFolder(), process.env);
  const client = new mongo.MongoClient(store.uri, {
    useBigInt64: true,
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    readConcernLevel: 'majority',
  });
  try {
    console.log(`auditing ${store.said}`);
    let told = 0;
    const say = (line) => {
      told += 1;
      if (told <= SHOWN_MAX) console.log(line);
    };
    const result = await recompute(client.db(DATABASE), say, await ledgerReading());
    if (told > SHOWN_MAX) console.log(`and ${told - SHOWN_MAX} more`);
    await client
      .db(DATABASE)
      .collection('audits')
      .replaceOne(
        { _id: 'last' },
        { atMs: Date.now(), driftMicro: result.driftMicro, accounts: result.accounts },
        { upsert: true, writeConcern: { w: 'majority' } },
      );
    console.log(`${result.entries} entries`);
    console.log(`RESULT drift_micro=${result.driftMicro} accounts=${result.accounts}`);
    process.exitCode = result.driftMicro === 0n ? 0 : 1;
  } finally {
    await client.close();
    await store.close();
  }
}

try {
  await audit();
} catch (error) {
  console.error(`audit: ${error.message}`);
  process.exitCode = 2;
}
