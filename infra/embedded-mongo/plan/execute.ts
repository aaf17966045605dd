import type { Collection, Stored } from '../engine/collection.js';
import type { Store } from '../engine/store.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import type { And } from '../query/predicates.js';
import { type SortField, sortKey } from '../query/sort.js';
import { type Hint, type Plan, plan } from './planner.js';
import { Scan, type ScanCounts } from './scan.js';

/** A read: the filter and the order of its documents. */
export interface Query {
  filter: And;
  sort: readonly SortField[];
  skip: number;
  /** 0 is no limit. */
  limit: number;
  hint: Hint;
}

/** The limits of a running command, and a function for warnings. */
export interface Run {
  store: Store;
  /** Maximum time of scanning without waits between batches, ms; undefined means no limit. */
  limitMs: number | undefined;
  onFullScan: (docsExamined: number) => void;
}

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 512;
/** Maximum time of scanning before other connections get their turn, ms. */
const TURN_MS = 8;
/** A full scan over this many documents causes a warning. */
const FULL_SCAN_WARNING_DOCS = 10_000;
/** Maximum memory of a sort without an index, as in MongoDB. */
const SORT_LIMIT_BYTES = 100 * 1024 * 1024;

/** Documents that match, in order, in chunks that are never empty. */
export async function* execute(
  run: Run,
  collection: Collection,
  query: Query,
  counts?: ScanCounts,
): AsyncGenerator<Stored[]> {
  const chosen = plan(collection, query.filter, query.sort, query.hint);
  const matching = scanMatching(run, collection, query.filter, chosen, counts);
  const ordered = chosen.givesOrder ? matching : sorted(matching, query);
  yield* window(ordered, query.skip, query.limit);
}

/** Scans a plan, tests the filter, and yields to other connections between chunks. */
export async function* scanMatching(
  run: Run,
  collection: Collection,
  filter: And,
  chosen: Plan,
  counts?: ScanCounts,
): AsyncGenerator<Stored[]> {
  const scan = new Scan(run.store, collection, chosen);
  let size = FIRST_CHUNK;
  let usedMs = 0;
  let turnEndsMs = performance.now() + TURN_MS;
  try {
    run.store.refresh();
    for (;;) {
      const startMs = performance.now();
      const chunk = scan.next(size);
      if (chunk.length === 0) return;
      const found = chunk.filter(({ document }) => filter.test(document));
      size = Math.min(size * 2, LARGEST_CHUNK);
      usedMs += performance.now() - startMs;
      checkTime(run, usedMs);
      if (found.length > 0) yield found;
      if (performance.now() < turnEndsMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      run.store.refresh();
      turnEndsMs = performance.now() + TURN_MS;
    }
  } finally {
    if (counts !== undefined) Object.assign(counts, scan.counts);
    if (chosen.kind === 'COLLSCAN' && scan.counts.docsExamined > FULL_SCAN_WARNING_DOCS)
      run.onFullScan(scan.counts.docsExamined);
  }
}

function checkTime(run: Run, usedMs: number): void {
  if (run.limitMs !== undefined && usedMs > run.limitMs) {
    throw new MongoError(ERROR_CODES.MaxTimeMSExpired, 'operation exceeded time limit');
  }
}

/** Sorts in memory; with a limit it keeps only the first ones. The sort is stable. */
async function* sorted(matching: AsyncGenerator<Stored[]>, query: Query): AsyncGenerator<Stored[]> {
  const wanted = query.limit === 0 ? Number.POSITIVE_INFINITY : query.skip + query.limit;
  let kept: { key: Buffer; stored: Stored }[] = [];
  let heldBytes = 0;
  for await (const chunk of matching) {
    for (const stored of chunk) {
      kept.push({ key: sortKey(stored.document, query.sort), stored });
      heldBytes += stored.bytes.length;
    }
    if (kept.length > wanted * 2 + LARGEST_CHUNK) {
      kept = kept.sort(byKey).slice(0, wanted);
      heldBytes = kept.reduce((sum, { stored }) => sum + stored.bytes.length, 0);
    }
    if (heldBytes > SORT_LIMIT_BYTES) throw sortTooLarge();
  }
  kept.sort(byKey);
  for (let at = 0; at < kept.length; at += LARGEST_CHUNK)
    yield kept.slice(at, at + LARGEST_CHUNK).map(({ stored }) => stored);
}

const byKey = (a: { key: Buffer }, b: { key: Buffer }): number => Buffer.compare(a.key, b.key);

export const sortTooLarge = (): MongoError =>
  new MongoError(
    ERROR_CODES.QueryExceededMemoryLimitNoDiskUseAllowed,
    `Sort exceeded memory limit of ${SORT_LIMIT_BYTES} bytes, but did not opt in to external sorting.`,
  );

async function* window(chunks: AsyncGenerator<Stored[]>, skip: number, limit: number): AsyncGenerator<Stored[]> {
  let toSkip = skip;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  for await (const chunk of chunks) {
    const rest = chunk.slice(Math.min(toSkip, chunk.length));
    toSkip -= chunk.length - rest.length;
    const taken = rest.slice(0, left);
    left -= taken.length;
    if (taken.length > 0) yield taken;
    if (left === 0) return;
  }
}

/** Maximum number of documents that a write task examines before a scan outside of it takes over. */
const TASK_BUDGET_DOCS = 200;

/**
 * Finds the first match inside a write task, so that no other write can come in between. Returns undefined if there
 * is none; 'large' if it would take too long.
 */
export function findInTask(store: Store, collection: Collection, query: Query): Stored | undefined | 'large' {
  const chosen = plan(collection, query.filter, query.sort, query.hint);
  const found = gather(store, collection, query.filter, chosen, chosen.givesOrder);
  if (found === 'large' || found.length < 2) return found === 'large' ? found : found[0];
  return found.map((stored) => ({ key: sortKey(stored.document, query.sort), stored })).sort(byKey)[0]?.stored;
}

/** Finds all matches inside a write task, or returns 'large'. */
export function findManyInTask(store: Store, collection: Collection, query: Query): Stored[] | 'large' {
  return gather(store, collection, query.filter, plan(collection, query.filter, [], query.hint), false);
}

function gather(
  store: Store,
  collection: Collection,
  filter: And,
  chosen: Plan,
  firstOnly: boolean,
): Stored[] | 'large' {
  const scan = new Scan(store, collection, chosen);
  const found: Stored[] = [];
  let size = firstOnly ? 1 : FIRST_CHUNK;
  for (let chunk = scan.next(size); chunk.length > 0; chunk = scan.next(size)) {
    for (const stored of chunk) {
      if (!filter.test(stored.document)) continue;
      if (firstOnly) return [stored];
      found.push(stored);
    }
    if (Math.max(scan.counts.docsExamined, scan.counts.keysExamined) > TASK_BUDGET_DOCS) return 'large';
    size = TASK_BUDGET_DOCS;
  }
  return found;
}
