/**
 * The embedded document store through mongoose in this process: compare-and-set saves and finds against pings (the cost
 * of wire and driver), one at a time and 64 in flight; finds by an index and saves among 1,000 and 1,000,000 documents.
 * Five alternating windows of each after a warm-up; medians; the results are ratios within this run.
 *
 * `npm run bench -- store [--seconds N] [--documents N]`; with MONGODB_URI it measures that server instead.
 */
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { Processes, startStore } from '../test/kit/processes.ts';
import { median } from './shared/median.ts';

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

interface Account {
  _id: string;
  seq: bigint;
  balanceMicro: bigint;
  open: { amountMicro: bigint; savedAtMs: number };
  outbox: object[];
  dirtyAt?: number;
}

interface Entry {
  _id: number;
  user: number;
  text: string;
}

const accountSchema = new mongoose.Schema<Account>(
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
const entrySchema = new mongoose.Schema<Entry>(
  { _id: Number, user: Number, text: String },
  { versionKey: false, autoIndex: false, autoCreate: false },
);
entrySchema.index({ user: 1 });

const own = await Processes.create();
try {
  const store = await startStore(own);
  console.log(store.description);
  const connection = await mongoose
    .createConnection(store.uri, {
      dbName: `bench_store_${process.pid}`,
      maxPoolSize: IN_FLIGHT,
      minPoolSize: IN_FLIGHT,
    })
    .asPromise();
  try {
    await measure(connection);
    await connection.dropDatabase();
  } finally {
    await connection.close();
  }
} finally {
  await own.close();
}

async function measure(connection: mongoose.Connection) {
  const Few = connection.model<Account>('Account', accountSchema);
  const Many = connection.model<Account>('ManyAccounts', accountSchema);
  const Small = connection.model<Entry>('Small', entrySchema);
  const Large = connection.model<Entry>('Large', entrySchema);
  for (const model of [Few, Many, Small, Large]) await model.createIndexes();
  const seqs = await fillAccounts(Few, ACCOUNTS);
  const manySeqs = await fillAccounts(Many, large);
  await fillEntries(Small, SMALL);
  await fillEntries(Large, large);

  const { db } = connection;
  if (!db) throw new Error('the connection is closed');
  const ping = () => db.command({ ping: 1 });
  const cas = (n: number) => save(Few, seqs, n % ACCOUNTS);
  const find = (n: number) => Few.findById(`account-${n % ACCOUNTS}`).lean();
  const findIn = (Model: mongoose.Model<Entry>, size: number) => async (n: number) => {
    const user = (n * 7919) % size;
    if ((await Model.findOne({ user }).lean())?.user !== user) throw new Error(`entry ${user} was not found`);
  };
  const windows: Record<string, Calls> = {
    ping64: { inFlight: IN_FLIGHT, run: ping },
    cas64: { inFlight: IN_FLIGHT, run: cas },
    cas1M: { inFlight: IN_FLIGHT, run: (n) => save(Many, manySeqs, (n * 7919) % large) },
    cas1: { inFlight: 1, run: cas },
    find64: { inFlight: IN_FLIGHT, run: find },
    find1k: { inFlight: IN_FLIGHT, run: findIn(Small, SMALL) },
    find1M: { inFlight: IN_FLIGHT, run: findIn(Large, large) },
  };
  const rates = new Map(Object.keys(windows).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, window] of Object.entries(windows)) {
      const rate = await rateOf(window);
      // Round 0 is the warm-up.
      if (round > 0) rates.get(name)?.push(rate);
    }
  }
  report(rates);
}

/** Calls to repeat. */
interface Calls {
  inFlight: number;
  run: (n: number) => Promise<unknown>;
}

/** Calls per second in one window, with `inFlight` callers that each wait for their response. */
async function rateOf({ inFlight, run }: Calls): Promise<number> {
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

/** The driver's own collection: mongoose's type of it allows one kind of id only. */
function collectionOf(Accounts: mongoose.Model<Account>) {
  return Accounts.collection as unknown as mongoose.mongo.Collection<Account>;
}

/** A save like the ledger's: one compare-and-set by the model's collection that changes the seq, the sums and the outbox. */
async function save(Accounts: mongoose.Model<Account>, seqs: bigint[], n: number) {
  const seq = seqs[n] ?? 0n;
  seqs[n] = seq + 1n;
  const { matchedCount } = await collectionOf(Accounts).updateOne(
    { _id: `account-${n}`, seq },
    {
      $inc: { seq: 1n, balanceMicro: 1_234n },
      $set: { open: { amountMicro: seq, savedAtMs: Date.now() }, dirtyAt: Date.now() },
      $push: { outbox: { $each: [{ key: `save:${n}:${seq}`, seq, subject: 'cord.balance.v1.changed' }], $slice: -3 } },
    },
  );
  if (matchedCount !== 1) throw new Error(`the save of account ${n} at seq ${seq} matched no document`);
}

/** @returns the seq of each */
async function fillAccounts(Accounts: mongoose.Model<Account>, count: number): Promise<bigint[]> {
  for (let from = 0; from < count; from += BATCH) {
    const batch: mongoose.mongo.BSON.Document[] = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      _id: `account-${from + n}`,
      seq: 0n,
      balanceMicro: BigInt(from + n),
      open: { amountMicro: 0n, savedAtMs: 0 },
      outbox: [],
    }));
    await Accounts.collection.insertMany(batch, { ordered: false });
  }
  return new Array<bigint>(count).fill(0n);
}

async function fillEntries(Model: mongoose.Model<Entry>, count: number) {
  for (let from = 0; from < count; from += BATCH) {
    const batch: mongoose.mongo.BSON.Document[] = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      _id: from + n,
      user: from + n,
      text: 'an entry of the ledger',
    }));
    await Model.collection.insertMany(batch, { ordered: false });
  }
}

function report(rates: Map<string, number[]>) {
  const medians = new Map([...rates].map(([name, list]) => [name, median(list)]));
  for (const [name, list] of rates) {
    const all = list.map((one) => Math.round(one)).join(' ');
    console.log(`${name.padEnd(7)} ${String(Math.round(median(list))).padStart(7)} per second (median of ${all})`);
  }
  const rate = (name: string) => medians.get(name) ?? Number.NaN;
  const ratio = (name: string, of: string, over: string) =>
    console.log(`RESULT ${name}=${(rate(of) / rate(over)).toFixed(3)}`);
  console.log(`documents in the large collection: ${large}`);
  ratio('cas64_over_ping64', 'cas64', 'ping64');
  ratio('cas64_over_cas1', 'cas64', 'cas1');
  ratio('find64_over_ping64', 'find64', 'ping64');
  ratio('find_by_index_1M_over_1k', 'find1M', 'find1k');
  // A ratio of times, not rates: the extra cost of a save among many.
  ratio('save_1M_over_1k', 'cas64', 'cas1M');
}
