import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { ERROR_CODES, MongoError } from '../errors.js';

export interface KeyRange {
  /** First key in ascending order, included. */
  low: Buffer;
  /** Last key in ascending order, excluded. */
  high: Buffer;
}

interface Task {
  run: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/**
 * The ordered, durable key space under everything, one LMDB file. Writes are tasks: those that gather while a commit is on
 * its way to the disk share the next transaction (group commit), and each promise resolves only once its commit is synced.
 */
export class Store {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private waiting: Task[] = [];
  private committing = false;
  private failure: Error | undefined;
  /** Commits so far, each of which was synced. */
  commits = 0;

  constructor(folder: string) {
    this.db = open<Buffer, Buffer>({
      path: join(folder, 'store.mdb'),
      encoding: 'binary',
      keyEncoding: 'binary',
      // A commit then returns only after the disk has it; otherwise it may return before.
      overlappingSync: false,
      cache: false,
      maxDbs: 1,
    });
  }

  get(key: Buffer): Buffer | undefined {
    return this.db.getBinary(key);
  }

  has(key: Buffer): boolean {
    return this.db.doesExist(key);
  }

  /** Entries in order, at most `limit`. */
  entries(range: KeyRange, reverse: boolean, limit: number): { key: Buffer; value: Buffer }[] {
    return this.db.getRange({ ...this.bounds(range, reverse), limit }).asArray as unknown as {
      key: Buffer;
      value: Buffer;
    }[];
  }

  keys(range: KeyRange, reverse: boolean, limit: number): Buffer[] {
    return this.db.getKeys({ ...this.bounds(range, reverse), limit }).asArray as unknown as Buffer[];
  }

  count(range: KeyRange): number {
    return this.db.getKeysCount({ start: range.low, end: range.high });
  }

  private bounds({ low, high }: KeyRange, reverse: boolean): object {
    if (!reverse) return { start: low, end: high };
    return { start: high, end: low, reverse: true, exclusiveStart: true, inclusiveEnd: true };
  }

  /** Reads from now on see every commit so far. */
  refresh(): void {
    if (!this.committing) this.db.resetReadTxn();
  }

  /**
   * Runs `task` alone, with all earlier writes visible, and resolves with its result when it is on disk. A task must check
   * everything before its first put: throwing undoes nothing.
   */
  write<T>(task: () => T): Promise<T> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ run: task, resolve: resolve as (value: never) => void, reject });
      if (!this.committing) void this.commit();
    });
  }

  /** Only inside a write task. */
  put(key: Buffer, value: Buffer): void {
    this.db.putSync(key, value);
  }

  /** Only inside a write task. */
  remove(key: Buffer): void {
    this.db.removeSync(key);
  }

  private async commit(): Promise<void> {
    this.committing = true;
    while (this.waiting.length > 0) {
      let tasks: Task[] = [];
      let settled: (() => void)[] = [];
      try {
        await this.db.transaction(() => {
          tasks = this.waiting;
          this.waiting = [];
          settled = tasks.map(runTask);
        });
        this.commits++;
      } catch (error) {
        this.fail(error as Error, tasks);
        return;
      }
      this.db.resetReadTxn();
      for (const settle of settled) settle();
    }
    this.committing = false;
  }

  /** A failed commit leaves memory ahead of the disk: nothing more is written until a restart reads the disk again. */
  private fail(error: Error, tasks: readonly Task[]): void {
    this.failure = new MongoError(ERROR_CODES.InternalError, `the store stopped writing: ${error.message}`);
    this.committing = false;
    for (const task of [...tasks, ...this.waiting]) task.reject(this.failure);
    this.waiting = [];
  }

  async close(): Promise<void> {
    this.failure ??= new MongoError(ERROR_CODES.ShutdownInProgress, 'the server is shutting down');
    while (this.committing) await new Promise((resolve) => setTimeout(resolve, 1));
    await this.db.close();
  }
}

function runTask(task: Task): () => void {
  try {
    const result = task.run();
    return () => task.resolve(result as never);
  } catch (error) {
    return () => task.reject(error);
  }
}
