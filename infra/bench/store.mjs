/**
 * The embedded document store, driven by mongoose from this process: compare-and-set saves and finds against pings (which
 * is what the wire and the driver cost), one at a time and 64 in flight, and finds by an index and saves among 1,000 and 1,000,000
 * documents. Five windows of each, interleaved, after a warm-up; medians; the results are ratios within this one run.
 *
 * `npm run bench -- store [--seconds N] [--documents N]`; with MONGODB_URI it measures that server instead.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { median } from './report/median.ts';

const MAIN = fileURLToPath(new URL('../embedded-mongo/dist/main.js', import.meta.url));
const ROUNDS = 5;
const ACCOUNTS = 1_000;
const SMALL = 1_000;
const IN_FLIGHT = 64;
const BATCH = 5_000;

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '1.5' }, documents: { type: 'string', default: '1000000' } },
});
const windowMs = Number(options.seconds) * 1000;
const large = Number(options.documents);

const accountSchema = new mongoose.Schema(
  {
    _id: String,
    seq: BigInt,
    balanceMicro: BigInt,
    open: mongoose.Schema.Types.Mixed,
    outbox: [mongoose.Schema.Types.Mixed],
    dirtyAt: Number,
  },
  { versionKey: false, autoIndex: false, autoCreate: false },
);
accountSchema.index({ dirtyAt: 1 }, { sparse: true });
accountSchema.index({ balanceMicro: -1 });
const entrySchema = new mongoose.Schema(
  { _id: Number, user: Number, text: String },
  { versionKey: false, autoIndex: false, autoCreate: false },
);
entrySchema.index({ user: 1 });

const server = await startServer();
const connection = await mongoose
  .createConnection(server.uri, {
    dbName: `bench_store_${process.pid}`,
    maxPoolSize: IN_FLIGHT,
    minPoolSize: IN_FLIGHT,
  })
  .asPromise();
try {
  await measure();
} finally {
  await connection.dropDatabase();
  await connection.close();
  await server.stop();
}

async function measure() {
  const Account = connection.model('Account', accountSchema);
  const ManyAccounts = connection.model('ManyAccounts', accountSchema);
  const Small = connection.model('Small', entrySchema);
  const Large = connection.model('Large', entrySchema);
  for (const model of [Account, ManyAccounts, Small, Large]) await model.createIndexes();
  const seqs = await fillAccounts(Account, ACCOUNTS);
  const manySeqs = await fillAccounts(ManyAccounts, large);
  await fillEntries(Small, SMALL);
  await fillEntries(Large, large);

  const ping = () => connection.db.command({ ping: 1 });
  const cas = (n) => save(Account, seqs, n % ACCOUNTS);
  const find = (n) => Account.findById(`account-${n % ACCOUNTS}`).lean();
  const findIn = (Model, size) => async (n) => {
    const user = (n * 7919) % size;
    if ((await Model.findOne({ user }).lean())?.user !== user) throw new Error(`entry ${user} was not found`);
  };
  const windows = {
    ping64: { inFlight: IN_FLIGHT, run: ping },
    cas64: { inFlight: IN_FLIGHT, run: cas },
    cas1M: { inFlight: IN_FLIGHT, run: (n) => save(ManyAccounts, manySeqs, (n * 7919) % large) },
    cas1: { inFlight: 1, run: cas },
    find64: { inFlight: IN_FLIGHT, run: find },
    find1k: { inFlight: IN_FLIGHT, run: findIn(Small, SMALL) },
    find1M: { inFlight: IN_FLIGHT, run: findIn(Large, large) },
  };
  const rates = Object.fromEntries(Object.keys(windows).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, window] of Object.entries(windows)) {
      const rate = await rateOf(window);
      // Round 0 is the warm-up.
      if (round > 0) rates[name].push(rate);
    }
  }
  report(rates);
}

/** Calls per second over one window, with `inFlight` callers that each wait for their answer. */
async function rateOf({ inFlight, run }) {
  let done = 0;
  let next = 0;
  const startMs = performance.now();
  const endMs = startMs + windowMs;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < endMs) {
        await run(next++);
        done++;
      }
    }),
  );
  return done / ((performance.now() - startMs) / 1000);
}

/** A save as the ledger makes it: one compare-and-set by the model's collection that moves the seq, the sums and the outbox. */
async function save(Account, seqs, n) {
  const seq = seqs[n];
  seqs[n] = seq + 1n;
  const { matchedCount } = await Account.collection.updateOne(
    { _id: `account-${n}`, seq },
    {
      $inc: { seq: 1n, balanceMicro: 1_234n },
      $set: { open: { amountMicro: seq, savedAtMs: Date.now() }, dirtyAt: Date.now() },
      $push: { outbox: { $each: [{ key: `save:${n}:${seq}`, seq, subject: 'cord.balance.v1.changed' }], $slice: -3 } },
    },
  );
  if (matchedCount !== 1) throw new Error(`the save of account ${n} at seq ${seq} found no such version`);
}

/** @returns the seq of each */
async function fillAccounts(Account, count) {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      _id: `account-${from + n}`,
      seq: 0n,
      balanceMicro: BigInt(from + n),
      open: { amountMicro: 0n, savedAtMs: 0 },
      outbox: [],
    }));
    await Account.collection.insertMany(batch, { ordered: false });
  }
  return new Array(count).fill(0n);
}

async function fillEntries(Model, count) {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      _id: from + n,
      user: from + n,
      text: 'an entry of the ledger',
    }));
    await Model.collection.insertMany(batch, { ordered: false });
  }
}

function report(rates) {
  const medians = Object.fromEntries(Object.entries(rates).map(([name, list]) => [name, median(list)]));
  for (const [name, rate] of Object.entries(medians)) {
    const all = rates[name].map((one) => Math.round(one)).join(' ');
    console.log(`${name.padEnd(7)} ${String(Math.round(rate)).padStart(7)} per second (median of ${all})`);
  }
  const ratio = (name, of, over) => console.log(`RESULT ${name}=${(medians[of] / medians[over]).toFixed(3)}`);
  console.log(`documents in the large collection: ${large}`);
  ratio('cas64_over_ping64', 'cas64', 'ping64');
  ratio('cas64_over_cas1', 'cas64', 'cas1');
  ratio('find64_over_ping64', 'find64', 'ping64');
  ratio('find_by_index_1M_over_1k', 'find1M', 'find1k');
  // Of time, and not of rates: what a save costs more among many.
  ratio('save_1M_over_1k', 'cas64', 'cas1M');
}

/** The server in a process of its own on an empty folder, or the one that MONGODB_URI names. */
async function startServer() {
  if (process.env.MONGODB_URI !== undefined) return { uri: process.env.MONGODB_URI, stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'bench-store-'));
  const child = spawn(process.execPath, [MAIN, '--port', '0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const uri = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const line = /listening on (mongodb:\S+)/.exec(output);
      if (line !== null) resolve(line[1]);
    });
    exited.then((code) => reject(new Error(`the store ended with ${code}`)));
  });
  return {
    uri,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
