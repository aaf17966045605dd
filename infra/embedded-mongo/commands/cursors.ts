import { randomBytes } from 'node:crypto';
import type { EncodableMap, RawDoc } from '../bson/encode.js';
import { Long } from '../bson/values.js';
import { ERROR_CODES, MongoError } from '../errors.js';

/** Maximum size of the documents in one reply, bytes. */
const MAX_BATCH_BYTES = 16_000_000;
const FIRST_BATCH = 101;
/** A cursor that is not used for this long is closed, as in MongoDB. */
const IDLE_MS = 10 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

export interface Cursor {
  id: bigint;
  namespace: string;
  source: AsyncGenerator<RawDoc[]>;
  held: RawDoc[];
  /** Maximum number of remaining documents; infinity without a limit. */
  left: number;
  isDone: boolean;
  isBusy: boolean;
  noTimeout: boolean;
  usedAtMs: number;
}

export interface CursorOptions {
  batchSize: number | undefined;
  singleBatch: boolean;
  limit: number;
  noTimeout: boolean;
}

/** Open cursors by id; ids are random, so that one client does not find another's by chance. */
export class CursorRegistry {
  private readonly cursors = new Map<bigint, Cursor>();
  private readonly sweeper = setInterval(() => this.closeIdle(), SWEEP_MS).unref();

  get size(): number {
    return this.cursors.size;
  }

  /** Returns the first batch, and the cursor's id if more may follow. */
  async open(namespace: string, source: AsyncGenerator<RawDoc[]>, options: CursorOptions): Promise<EncodableMap> {
    const left = options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit;
    const cursor: Cursor = {
      id: 0n,
      namespace,
      source,
      held: [],
      left,
      isDone: false,
      isBusy: false,
      noTimeout: options.noTimeout,
      usedAtMs: 0,
    };
    const batch = await fill(cursor, options.batchSize ?? FIRST_BATCH);
    if (options.singleBatch || cursor.left === 0) await finish(cursor);
    if (!cursor.isDone) this.keep(cursor);
    return reply('firstBatch', cursor, batch);
  }

  async getMore(id: bigint, namespace: string, batchSize: number | undefined): Promise<EncodableMap> {
    const cursor = this.cursors.get(id);
    if (cursor === undefined) throw new MongoError(ERROR_CODES.CursorNotFound, `cursor id ${id} not found`);
    if (cursor.namespace !== namespace) {
      throw new MongoError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    if (cursor.isBusy) throw new MongoError(12051, `cursor id ${id} is already in use`);
    cursor.isBusy = true;
    try {
      const batch = await fill(cursor, batchSize || Number.POSITIVE_INFINITY);
      if (cursor.left === 0) await finish(cursor);
      return reply('nextBatch', cursor, batch);
    } catch (error) {
      cursor.isDone = true;
      throw error;
    } finally {
      cursor.isBusy = false;
      cursor.usedAtMs = performance.now();
      if (cursor.isDone) this.cursors.delete(id);
    }
  }

  /** Closes a cursor. Returns true if it existed in this database (in any database if none is given). */
  async kill(id: bigint, db?: string): Promise<boolean> {
    const cursor = this.cursors.get(id);
    if (cursor === undefined || (db !== undefined && !cursor.namespace.startsWith(`${db}.`))) return false;
    this.cursors.delete(id);
    await finish(cursor);
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    for (const id of [...this.cursors.keys()]) await this.kill(id);
  }

  private keep(cursor: Cursor): void {
    do cursor.id = randomBytes(8).readBigUInt64BE() >> 1n;
    while (cursor.id === 0n || this.cursors.has(cursor.id));
    cursor.usedAtMs = performance.now();
    this.cursors.set(cursor.id, cursor);
  }

  private closeIdle(): void {
    const now = performance.now();
    for (const [id, cursor] of this.cursors) {
      if (!cursor.isBusy && !cursor.noTimeout && now - cursor.usedAtMs > IDLE_MS) void this.kill(id);
    }
  }
}

async function fill(cursor: Cursor, size: number): Promise<RawDoc[]> {
  const batch: RawDoc[] = [];
  let bytes = 0;
  while (batch.length < size && cursor.left > 0) {
    if (cursor.held.length === 0) {
      const { value, done } = await cursor.source.next();
      if (done === true) {
        cursor.isDone = true;
        break;
      }
      cursor.held = value;
    }
    const room = Math.min(size - batch.length, cursor.left);
    let taken = 0;
    for (const document of cursor.held) {
      if (taken === room || (batch.length > 0 && bytes + document.bytes.length > MAX_BATCH_BYTES)) break;
      batch.push(document);
      bytes += document.bytes.length;
      taken++;
    }
    cursor.held = cursor.held.slice(taken);
    cursor.left -= taken;
    if (cursor.held.length > 0) break;
  }
  return batch;
}

async function finish(cursor: Cursor): Promise<void> {
  cursor.isDone = true;
  await cursor.source.return(undefined);
}

function reply(name: 'firstBatch' | 'nextBatch', cursor: Cursor, batch: RawDoc[]): EncodableMap {
  return new Map<string, RawDoc[] | Long | string>([
    [name, batch],
    ['id', Long.fromBigInt(cursor.isDone ? 0n : cursor.id)],
    ['ns', cursor.namespace],
  ]);
}
