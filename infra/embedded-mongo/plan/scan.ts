import type { Collection, Stored } from '../engine/collection.js';
import type { CollectionIndex } from '../engine/collection-index.js';
import { recordOfKey } from '../engine/layout.js';
import { corrupted } from '../engine/sealed.js';
import type { KeyRange, Store } from '../engine/store.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import type { Plan } from './planner.js';

const AFTER = Buffer.from([0]);

/** Counters of a scan. */
export interface ScanCounts {
  keysExamined: number;
  docsExamined: number;
}

/**
 * The documents of a plan, in its order, each once, a chunk at a time. Between chunks it holds no transaction, only its
 * position, so writes and pauses do not affect it. Throws MongoError 175 once its collection or index is dropped, and 301 for
 * an entry without its document: never fewer documents than there are.
 */
export class Scan {
  readonly counts: ScanCounts = { keysExamined: 0, docsExamined: 0 };
  private readonly store: Store;
  private readonly collection: Collection;
  private readonly steps: Step[];
  private readonly seen: Set<number> | undefined;

  constructor(store: Store, collection: Collection, plan: Plan) {
    this.store = store;
    this.collection = collection;
    this.steps = stepsOf(plan);
    const repeats = plan.kind === 'OR' || (plan.kind === 'IXSCAN' && plan.index.multikey.size > 0);
    this.seen = repeats ? new Set() : undefined;
  }

  /** Returns at most `limit` more documents; an empty chunk is the end. */
  next(limit: number): Stored[] {
    const chunk: Stored[] = [];
    this.requireStillThere();
    for (let step = this.steps[0]; step !== undefined && chunk.length < limit; step = this.steps[0]) {
      if (!this.take(step, limit - chunk.length, chunk)) this.steps.shift();
    }
    return chunk;
  }

  private requireStillThere(): void {
    const isThere = (step: Step): boolean => step.index === undefined || this.collection.indexes.includes(step.index);
    if (!this.collection.dropped && this.steps.every(isThere)) return;
    const what = this.collection.dropped ? 'collection' : 'index';
    throw new MongoError(
      ERROR_CODES.QueryPlanKilled,
      `query plan killed :: caused by :: ${what} dropped (${this.collection.namespace})`,
    );
  }

  /** False when the step's range is done. */
  private take(step: Step, limit: number, chunk: Stored[]): boolean {
    if (step.kind === 'documents') return this.takeDocuments(step, limit, chunk);
    if (step.kind === 'lookup') return this.lookUp(step, chunk);
    const entries = this.indexEntries(step, limit);
    this.counts.keysExamined += entries.length;
    for (const { key, value } of entries) {
      this.fetch(step, recordOfKey(value), chunk);
      advance(step, key);
    }
    return entries.length === limit;
  }

  private takeDocuments(step: Step, limit: number, chunk: Stored[]): boolean {
    const entries = this.store.entries(step.range, step.reverse, limit);
    for (const { key, value } of entries) {
      chunk.push(this.collection.stored(recordOfKey(key), value));
      advance(step, key);
    }
    this.counts.docsExamined += entries.length;
    return entries.length === limit;
  }

  private lookUp(step: Step, chunk: Stored[]): boolean {
    const record = this.store.get(step.range.low);
    if (record === undefined) return false;
    this.counts.keysExamined++;
    this.fetch(step, recordOfKey(record), chunk);
    return false;
  }

  /** A unique index has its record in the value, any other at the end of the key. */
  private indexEntries(step: Step, limit: number): { key: Buffer; value: Buffer }[] {
    if (step.index?.spec.unique) return this.store.entries(step.range, step.reverse, limit);
    return this.store.keys(step.range, step.reverse, limit).map((key) => ({ key, value: key }));
  }

  private fetch(step: Step, record: number, chunk: Stored[]): void {
    if (this.seen?.has(record)) return;
    this.seen?.add(record);
    const stored = this.collection.read(record);
    if (stored === undefined) {
      const { namespace } = this.collection;
      throw corrupted(
        `index ${step.index?.spec.name} of ${namespace} refers to record ${record}, which does not exist`,
      );
    }
    this.counts.docsExamined++;
    chunk.push(stored);
  }
}

interface Step {
  kind: 'documents' | 'index' | 'lookup';
  range: KeyRange;
  reverse: boolean;
  /** Undefined for a collection scan. */
  index: CollectionIndex | undefined;
}

function stepsOf(plan: Plan): Step[] {
  if (plan.kind === 'OR') return plan.branches.flatMap(stepsOf);
  if (plan.kind === 'COLLSCAN') {
    return [{ kind: 'documents', range: { ...plan.range }, reverse: plan.reverse, index: undefined }];
  }
  const kind = plan.isLookup ? 'lookup' : 'index';
  const steps = plan.ranges.map(
    (range): Step => ({ kind, range: { ...range }, reverse: plan.reverse, index: plan.index }),
  );
  return plan.reverse ? steps.reverse() : steps;
}

function advance(step: Step, key: Buffer): void {
  if (step.reverse) step.range.high = key;
  else step.range.low = Buffer.concat([key, AFTER]);
}
