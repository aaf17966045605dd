/**
 * Making and verifying the root of a day over many accounts, as mining does: seconds of the run, latency of saves during it and
 * alone, bytes of a proof without entries, and the time to verify a year of entries, in Node and in the page's worker in Chromium.
 *
 * `npm run bench -- roots [--accounts N] [--entries N]`
 */
import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { verifyProof } from '@cord/contracts/proof/verify';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { type Connection, createConnection } from 'mongoose';
import { world } from '../../services/contracts/proof/test/sample.ts';
import { type Account, newAccount } from '../../services/mining/ledger/account.ts';
import { makeRoot, type RootParts } from '../../services/mining/roots/job.ts';
import { logKey } from '../../services/mining/roots/key.ts';
import { proofOf } from '../../services/mining/roots/proof.ts';
import { createRootStore } from '../../services/mining/roots/store.ts';
import { createLedgerStore } from '../../services/mining/store/ledger-store.ts';
import { Processes, startStore } from '../test/kit/processes.ts';
import { msInChromium } from './roots/in-chromium.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;
/** The time of the run: ten past midnight. */
const NOW_MS = Date.UTC(2026, 10, 26, 0, 10);
/** Saves per second during the run. */
const SAVES_PER_S = 100;
const WITHOUT_ROOTS_MS = 10_000;

const { values: options } = parseArgs({
  options: { accounts: { type: 'string', default: '1000000' }, entries: { type: 'string', default: '18000' } },
});
const accounts = Number(options.accounts);
const idOf = (n: number) => n.toString(16).padStart(32, '0');

const own = await Processes.create();
const { uri } = await startStore(own);
const connection = await createConnection(uri, {
  dbName: `bench_roots_${process.pid}`,
  useBigInt64: true,
}).asPromise();
try {
  await fill(connection);
  await measure(connection);
} finally {
  await connection.dropDatabase();
  await connection.close();
  await own.close();
}

/** Creates accounts without entries: a leaf depends on the account document only. */
async function fill(at: Connection): Promise<void> {
  const store = createLedgerStore(at);
  await store.insert(newAccount(idOf(0), 0, NOW_MS - DAY_MS));
  const all = at.collection('accounts');
  const first = await all.findOne({ _id: idOf(0) as never });
  for (let from = 1; from < accounts; from += BATCH) {
    const docs = Array.from({ length: Math.min(BATCH, accounts - from) }, (_, n) => {
      const { chain } = newAccount(idOf(from + n), 0, NOW_MS - DAY_MS);
      return { ...first, _id: idOf(from + n) as never, chain };
    });
    await all.insertMany(docs);
  }
}

async function measure(at: Connection): Promise<void> {
  const store = createRootStore(at);
  const parts = {
    ...{ store, keys: [logKey(randomUUID())], origin: 'cord.example/ledger' },
    ...{ rules: () => Buffer.alloc(32).toString('base64'), verifier: Buffer.alloc(32).toString('base64') },
  };
  const alone = await savesWhile(at, sleep(WITHOUT_ROOTS_MS));
  setPriority(0, 10);
  const first = await rootAt(at, parts, NOW_MS);
  // With a previous day, each account is compared with its earlier leaf; no new entries is the most expensive case.
  const second = await rootAt(at, parts, NOW_MS + DAY_MS);
  const account = newAccount(idOf(0), 0, NOW_MS - DAY_MS);
  const doc = await at.collection<{ _id: string; chain: Account['chain'] }>('accounts').findOne({ _id: idOf(0) });
  const read = async () => ({ ...account, chain: doc?.chain ?? account.chain });
  const reads = { entriesAfter: async () => [] };
  const source = {
    ...{ store, ledger: { read } as never, reads: reads as never, now: () => NOW_MS + DAY_MS },
    ...{ rulesOf: () => '', onMismatch: () => undefined },
  };
  const proof = await proofOf(source, idOf(0));
  const verdict = await verifyProof(NODE_PRIMITIVES, proof);
  if (!verdict.ok || verdict.record.accounts !== accounts) throw new Error(verdict.text);
  const made = world({ entries: Number(options.entries) });
  const year = made.proofOf(0);
  const verifyMs = performance.now();
  const found = await verifyProof(NODE_PRIMITIVES, year, { vkeys: [made.key.vkey] });
  if (!found.ok) throw new Error(found.text);
  const verifiedMs = performance.now() - verifyMs;
  const inChromiumMs = await msInChromium({
    ...{ account: year.account, proof: year, later: [], begun: null },
    keys: [{ vkey: made.key.vkey, vouched: null }],
    ...{ checkpoint: made.log.checkpoint, records: made.log.records },
    nowMs: Date.parse('2026-11-27T00:10:00Z'),
    shownRules: null,
    before: { log: null, own: null, isPart: false },
  });
  const results = {
    accounts,
    root_first_s: first.seconds.toFixed(1),
    root_s: second.seconds.toFixed(1),
    save_p99_ms_alone: alone.toFixed(2),
    save_p99_ms_beside: Math.max(first.p99, second.p99).toFixed(2),
    proof_bytes: JSON.stringify(proof).length,
    entries: year.entries.length,
    verify_year_ms: verifiedMs.toFixed(0),
    verify_year_chromium_ms: inChromiumMs.toFixed(0),
  };
  for (const [name, value] of Object.entries(results)) console.log(`RESULT ${name}=${value}`);
}

/** Makes a root. @returns its time, s, and the p99 of concurrent saves, ms */
async function rootAt(at: Connection, parts: RootParts, nowMs: number): Promise<{ seconds: number; p99: number }> {
  const startMs = performance.now();
  const p99 = await savesWhile(
    at,
    makeRoot(parts, nowMs, async () => true),
  );
  return { seconds: (performance.now() - startMs) / 1_000, p99 };
}

/** Saves at a steady rate while `running` is pending. @returns the p99 of their times, ms */
async function savesWhile(at: Connection, running: Promise<unknown>): Promise<number> {
  const all = at.collection('accounts');
  const times: number[] = [];
  let isOver = false;
  const over = running.finally(() => {
    isOver = true;
  });
  const pending: Promise<unknown>[] = [];
  for (let n = 0; !isOver; n += 1) {
    const dueMs = performance.now();
    const filter = { _id: idOf((n * 7_919) % accounts) as never };
    pending.push(all.updateOne(filter, { $inc: { seq: 1n } }).then(() => times.push(performance.now() - dueMs)));
    await Promise.race([sleep(1_000 / SAVES_PER_S), over]);
  }
  await over;
  await Promise.all(pending);
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}
