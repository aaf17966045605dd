import { fileURLToPath } from 'node:url';
import { mongo } from 'mongoose';
import { runningStoreUri } from '../../dev/starter/store-address.ts';
import { storeOf } from '../../dev/starter/store-of.ts';
import { auditBooks, type Books } from '../books.js';
import type { Finding } from '../findings.js';
import { readingOf, rootRules } from '../reading.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Opens a store as the audit does. @param uri of a user who may read everything */
export async function openStore(uri: string) {
  const client = await new mongo.MongoClient(uri, { useBigInt64: true }).connect();
  const databaseOf = (service: string) => client.db(`cord_${service}`);
  return { databaseOf, close: () => client.close() };
}

/** Opens the store of a running system. */
export async function openRunning(dataDir: string) {
  return openStore(await runningStoreUri(dataDir));
}

/** Starts and opens the store of a stopped system. */
export async function openHalted(dataDir: string) {
  const env = { ...process.env, MONGODB_URI: undefined, CORD_DATA: undefined };
  const store = await storeOf(dataDir, env);
  const opened = await openStore(store.uri);
  return {
    ...opened,
    uri: store.uri,
    async close() {
      await opened.close();
      await store.close();
    },
  };
}

/** Returns all findings of the books, one line each. With lagMs 0 the system counts as stopped: nothing may be in transit. */
export async function findingsOf(
  databaseOf: Books['databaseOf'],
  { nowMs, chain = null, lagMs = 0 }: { nowMs: number; chain?: Books['chain']; lagMs?: number },
  patience = { tries: 1, pauseMs: 0, together: 1 },
) {
  const lines: string[] = [];
  const print = ({ of, what }: Finding) => lines.push(`${of}: ${what}`);
  const judgement = { nowMs, lagMs };
  const roots = await rootRules(ROOT);
  const books = { databaseOf, reading: await readingOf(ROOT), judgement, chain, solana: null, roots, now: () => nowMs };
  const audited = await auditBooks(books, print, patience);
  return { lines, audited };
}
