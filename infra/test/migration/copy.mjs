import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mongo } from 'mongoose';
import { Books } from '../../bench/life/books.mjs';
import { startSystem } from '../../bench/system/system.mjs';
import { readJson } from '../../dev/starter/files.mjs';
import { runFile } from '../../dev/starter/run-file.mjs';
import { storeOf } from '../../dev/starter/store-of.mjs';
import { ledgerAndMembers } from './checks.mjs';
import { DATA_FILE } from './fixture.mjs';

const run = promisify(execFile);
const MINUTE_MS = 60_000;
const APPEARS_MS_MAX = 120_000;

/**
 * A copy of the release's data whose clock stands a minute after its end, whatever the machine's says.
 * @param {number} endedMs the release's time when it ended
 */
export async function copyOfRelease(endedMs) {
  const dataDir = await mkdtemp(join(tmpdir(), 'cord-migration-'));
  // That release exported its data folder as it was.
  await run('tar', ['-xzf', DATA_FILE, '-C', dataDir, '--no-same-owner']);
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

/**
 * Starts the system on the data once for each moment, and kills referrals and mining that long after they have appeared: a
 * start that breaks off so is a start that failed, and the next one goes on from what it left.
 * @param {number[]} momentsMs
 */
export async function breakOffStarts(dataDir, momentsMs) {
  for (const moment of momentsMs) {
    const starting = startSystem([], { dataDir }).catch(() => undefined);
    await Promise.all(['referrals', 'mining'].map((name) => killAfter(dataDir, name, moment)));
    await (await starting)?.halt();
  }
}

async function killAfter(dataDir, name, moment) {
  const pid = await appeared(dataDir, name);
  await sleep(moment);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The start has broken off already: the other one was killed first.
  }
}

async function appeared(dataDir, name) {
  for (const endMs = performance.now() + APPEARS_MS_MAX; performance.now() < endMs; await sleep(10)) {
    const pid = (await readJson(runFile(dataDir)))?.services?.[name]?.[0]?.pid;
    if (pid) return pid;
  }
  throw new Error(`${name} did not appear`);
}
