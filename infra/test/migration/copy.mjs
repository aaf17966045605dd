import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { storeOf } from '../../audit/store-of.mjs';
import { Books } from '../../bench/life/books.mjs';
import { importData } from '../../dev/starter/archive.mjs';
import { readJson } from '../../dev/starter/files.mjs';
import { runFile } from '../../dev/starter/run-file.mjs';
import { ledgerAndMembers } from './checks.mjs';
import { DATA_FILE } from './fixture.mjs';

const MINUTE_MS = 60_000;
const APPEARS_MS_MAX = 120_000;

/**
 * A copy of the release's data whose clock stands a minute after its end, whatever the machine's says.
 * @param {number} endedMs the release's time when it ended
 */
export async function copyOfRelease(endedMs) {
  const dataDir = await mkdtemp(join(tmpdir(), 'cord-migration-'));
  await importData(dataDir, DATA_FILE);
  const offsetMs = endedMs + MINUTE_MS - Date.now();
  await writeFile(join(dataDir, 'clock.json'), `${JSON.stringify({ offsetMs })}\n`);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/** What stands in the books of a stopped system, and what the audit says of it. */
export async function readStopped(dataDir) {
  const store = await storeOf(dataDir, process.env);
  const books = new Books(new mongo.MongoClient(store.uri, { useBigInt64: true }), dataDir);
  const found = await ledgerAndMembers(books);
  await books.close();
  await store.close();
  return { ...found, audited: await books.audit() };
}

/** Kills referrals and mining, each so long after it has appeared, again and again. */
export async function killAsItStarts(dataDir, momentsMs) {
  if (momentsMs.length === 0) return;
  const killOne = async (name) => {
    let last = 0;
    for (const moment of momentsMs) {
      last = await appeared(dataDir, name, last);
      await sleep(moment);
      process.kill(last, 'SIGKILL');
    }
    await appeared(dataDir, name, last);
  };
  await Promise.all(['referrals', 'mining'].map(killOne));
}

/** @returns {Promise<number>} the process of that name that is another than `last` */
async function appeared(dataDir, name, last) {
  for (const endMs = performance.now() + APPEARS_MS_MAX; performance.now() < endMs; await sleep(10)) {
    const pid = (await readJson(runFile(dataDir)))?.services?.[name]?.[0]?.pid;
    if (pid && pid !== last) return pid;
  }
  throw new Error(`${name} did not appear`);
}
