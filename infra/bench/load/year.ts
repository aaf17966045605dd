import { createConnection, type mongo } from 'mongoose';
import type { DayDoc, EntryDoc } from '../../../services/mining/store/collections.ts';
import { built } from '../shared/built.ts';
import { median } from '../shared/median.ts';

const DAY_MS = 86_400_000;
const DAYS = 365;
/** Entries and days of others are written so many at a time. */
const BATCH = 2_000;
/** Both processes have compiled what they run by then. */
const WARM_UP = 300;
const READS = 200;
/** An account has about so many entries for each of its days: mining by the hour, and what it claims. */
const ENTRIES_A_DAY = 10;

/** Of several reads, ms. */
interface Spread {
  median: number;
  p99: number;
}

/**
 * What the earnings of a year cost for one user among ledgers of growing size: the days as mining itself reads them. At the
 * store is until its answer is here; the whole read has what the driver makes of its 365 documents, too.
 * @param uri of a store that nothing else uses meanwhile
 * @param sizes entries of all others, rising
 * @returns by size
 */
export async function yearOfOne(
  uri: string,
  sizes: readonly number[],
): Promise<{ entries: number; storeMs: Spread; readMs: Spread }[]> {
  const [{ data }, stored, { createReads }, { migrate }] = await Promise.all([
    built<typeof import('../../../services/mining/data.ts')>('mining/dist/data.js'),
    built<typeof import('../../../services/mining/store/collections.ts')>('mining/dist/store/collections.js'),
    built<typeof import('../../../services/mining/store/reads.ts')>('mining/dist/store/reads.js'),
    import('@cord/kit/migration/migrate'),
  ]);
  const connection = await createConnection(uri, {
    dbName: `bench_year_${process.pid}`,
    useBigInt64: true,
  }).asPromise();
  try {
    await migrate(connection, data);
    const [dayDocs, entryDocs] = [stored.DAYS.in(connection), stored.ENTRIES.in(connection)];
    const reads = createReads(connection);
    const nowMs = Date.now();
    const one = userOf(0);
    await insert(dayDocs, daysOf(one, nowMs));
    const figures = [];
    let people = 1;
    for (const entries of sizes) {
      for (let written = (people - 1) * DAYS * ENTRIES_A_DAY; written < entries; people += 1) {
        const user = userOf(people);
        await insert(dayDocs, daysOf(user, nowMs));
        await insert(entryDocs, entriesOf(user, nowMs));
        written += DAYS * ENTRIES_A_DAY;
      }
      const [first, last] = [keyOf(nowMs, DAYS), keyOf(nowMs, 0)];
      const read = () => reads.days(one, first, last);
      figures.push({ entries, ...(await timed(read, () => answerOf(dayDocs, one, first, last))) });
    }
    return figures;
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
}

/** The store's answer to the read of a year, its bytes left as they come. */
const answerOf = (days: mongo.Collection<DayDoc>, userId: string, first: string, last: string): Promise<unknown[]> =>
  days
    .find({ userId, _id: { $gte: `${userId}:${first}`, $lte: `${userId}:${last}` } }, { raw: true })
    .batchSize(DAYS + 1)
    .toArray();

type Read = () => Promise<readonly unknown[]>;

/** One after the other in turn, so that what else the machine does meets both alike. */
async function timed(read: Read, answer: Read) {
  const [readMs, storeMs]: [number[], number[]] = [[], []];
  for (let n = 0; n < WARM_UP + READS; n += 1) {
    for (const [query, tookMs] of [
      [read, readMs],
      [answer, storeMs],
    ] as const) {
      const beganMs = performance.now();
      const days = await query();
      if (n >= WARM_UP) tookMs.push(performance.now() - beganMs);
      if (days.length !== DAYS) throw new Error(`a year of ${days.length} days`);
    }
  }
  return { storeMs: spreadOf(storeMs), readMs: spreadOf(readMs) };
}

function spreadOf(tookMs: number[]): Spread {
  const sorted = tookMs.toSorted((a, b) => a - b);
  return { median: median(sorted), p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}

/** Spread over the whole range of ids, the one who is read among them. */
const userOf = (n: number) => (((n + 1) * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0').repeat(4);
const keyOf = (nowMs: number, ago: number) => new Date(nowMs - ago * DAY_MS).toISOString().slice(0, 10);

function daysOf(userId: string, nowMs: number) {
  return Array.from({ length: DAYS }, (_, ago) => {
    const dayKey = keyOf(nowMs, ago + 1);
    const bySource = { mining: 1_925_000n, checkin: 150_000_000n, task: 122_500_000n, commission: 38_390_000n };
    return { _id: `${userId}:${dayKey}`, userId, dayKey, bySource, ranMs: DAY_MS / 3 };
  });
}

function entriesOf(userId: string, nowMs: number) {
  const count = DAYS * ENTRIES_A_DAY;
  return Array.from({ length: count }, (_, n) => ({
    _id: `${userId}:${n}`,
    userId,
    seq: BigInt(n + 1),
    source: 'mining',
    amountMicro: 1_925_000n,
    balanceMicro: 1_925_000n * BigInt(n + 1),
    atMs: nowMs - (count - n) * (DAY_MS / ENTRIES_A_DAY),
    reason: '',
  }));
}

async function insert<D extends DayDoc | EntryDoc>(documents: mongo.Collection<D>, docs: readonly object[]) {
  for (let at = 0; at < docs.length; at += BATCH) {
    await documents.insertMany(docs.slice(at, at + BATCH) as mongo.OptionalUnlessRequiredId<D>[], { ordered: false });
  }
}
