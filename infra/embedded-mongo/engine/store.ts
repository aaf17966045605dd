import { existsSync, renameSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { ERROR_CODES, MongoError } from '../errors.js';
import { checkDataFile } from './data-file.js';
import { requireAccess } from './folder.js';
import { NEXT_ID_KEY } from './layout.js';
import { RESERVE_BYTES, Room } from './room.js';
import { forgetSnapshots, takeSnapshot } from './snapshot.js';

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

/** What a write does to the space that is taken: on a full disk only those that free some are let through. */
export type WriteKind = 'fills' | 'frees';

export interface StoreOptions {
  /** Room kept in the file for deletes on a full disk. */
  reserveBytes?: number;
  warn?: (message: string) => void;
}

const DATA_FILE = 'store.mdb';
const FIRST_ID = Buffer.from([0, 0, 0, 1]);

/**
 * The ordered, durable key space under everything, one LMDB file. Writes are tasks: those that gather while a commit is on
 * its way to the disk share the next transaction (group commit), and each promise resolves only once its commit is synced.
 */
export class Store {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private waiting: Task[] = [];
  private committing = false;
  private failure: Error | undefined;
  /** The disk takes no more: only writes that free room are let through. */
  private isFull = false;
  private afterRollback: () => void = () => undefined;
  private readonly path: string;
  private readonly room: Room;
  private readonly warn: (message: string) => void;
  /** Commits so far, each of which was synced. */
  commits = 0;

  private constructor(path: string, { reserveBytes = RESERVE_BYTES, warn = () => undefined }: StoreOptions) {
    this.path = path;
    this.warn = warn;
    this.db = openFile(path);
    this.room = new Room(path, reserveBytes);
    this.keepRoom();
  }

  /**
   * Opens the store of a folder, or makes it. Throws DamagedFile for a file that is not whole, and an Error that names the
   * path where this process may not write.
   */
  static async open(folder: string, options: StoreOptions = {}): Promise<Store> {
    requireAccess(folder);
    forgetSnapshots(folder);
    const path = join(folder, DATA_FILE);
    if (existsSync(path)) requireAccess(path);
    else await makeFile(path);
    checkDataFile(path);
    return new Store(path, options);
  }

  /** What holds state read from here must read it again: a commit has failed, and all that it wrote is gone. */
  onRollback(again: () => void): void {
    this.afterRollback = again;
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
   * everything before its first put: throwing undoes nothing. Rejects with MongoError 14031 when the disk is full; then
   * nothing of it is there.
   */
  write<T>(task: () => T, kind: WriteKind = 'fills'): Promise<T> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (kind === 'fills' && this.isFull) {
      if (!this.committing) this.keepRoom();
      if (this.isFull) return Promise.reject(this.fullDisk());
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ run: task, resolve: resolve as (value: never) => void, reject });
      if (!this.committing) void this.commit();
    });
  }

  /** What `read` finds with all earlier writes visible: at once, or inside a write task while a commit is on its way. */
  async current<T>(read: () => T): Promise<T> {
    if (!this.committing) {
      this.refresh();
      return read();
    }
    return this.write(read, 'frees').catch((error) => {
      // The writes that shared its commit had no room, which is no reason to refuse a read.
      if (error instanceof MongoError && error.code === ERROR_CODES.OutOfDiskSpace) return this.current(read);
      throw error;
    });
  }

  /** How many of `count` documents one write task may change: few on a full disk, where pages become free commit by commit. */
  share(count: number): number {
    return this.isFull ? Math.min(count, FULL_TASK_DOCUMENTS) : count;
  }

  /** Only inside a write task. */
  put(key: Buffer, value: Buffer): void {
    this.db.putSync(key, value);
  }

  /** Only inside a write task. */
  remove(key: Buffer): void {
    this.db.removeSync(key);
  }

  /** A copy of all that is committed, for a server of its own: its folder. */
  snapshot(): Promise<string> {
    return takeSnapshot(this.db, this.path);
  }

  private async commit(): Promise<void> {
    this.committing = true;
    while (this.waiting.length > 0) {
      let tasks: Task[] = [];
      let settled: (() => void)[] = [];
      try {
        await this.db.transaction(() => {
          tasks = this.waiting.splice(0, this.isFull ? FULL_COMMIT_TASKS : this.waiting.length);
          settled = tasks.map(runTask);
        });
      } catch (error) {
        await this.rollBack(error as CommitError, tasks);
        continue;
      }
      this.commits++;
      this.db.resetReadTxn();
      this.keepRoom();
      for (const settle of settled) settle();
    }
    this.committing = false;
  }

  /**
   * A failed commit has left nothing on the disk, and memory ahead of it: that is read again, then writing goes on. What
   * else than a full disk stops a commit stops all writing until a restart.
   */
  private async rollBack(error: CommitError, tasks: readonly Task[]): Promise<void> {
    // The reason comes in a promise of its own, which nobody else waits for.
    const reason: CommitError = (await error.commitError?.catch((cause: Error) => cause)) ?? error;
    this.db.resetReadTxn();
    this.afterRollback();
    const isUsable = this.canWrite();
    const isFull = isUsable && (isFullReason(reason) || !this.room.canGrow());
    if (isFull) this.noteFull(true);
    else this.failure = new MongoError(ERROR_CODES.InternalError, `the store stopped writing: ${reason.message}`);
    const refusal = this.failure ?? this.fullDisk();
    const refused = this.failure === undefined ? tasks : [...tasks, ...this.waiting];
    if (this.failure !== undefined) this.waiting = [];
    for (const task of refused) task.reject(refusal);
  }

  /** LMDB refuses every transaction after an error that it cannot answer for; one that does nothing shows it. */
  private canWrite(): boolean {
    try {
      this.db.transactionSync(() => undefined);
      return true;
    } catch {
      return false;
    }
  }

  private keepRoom(): boolean {
    const stats = this.db.getStats() as unknown as FileStats;
    const used = pagesOf(stats.root) + pagesOf(stats.free) + META_PAGES;
    const isKept = this.room.keep(used * stats.root.pageSize);
    this.noteFull(!isKept);
    return isKept;
  }

  private noteFull(isFull: boolean): void {
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    this.warn(
      isFull
        ? `the disk of ${this.path} is full: reads and deletes go on, other writes are refused until there is room`
        : `the disk of ${this.path} has room again: writes go on`,
    );
  }

  private fullDisk(): MongoError {
    return new MongoError(
      ERROR_CODES.OutOfDiskSpace,
      `the disk of ${this.path} is full: reads and deletes go on, other writes are refused until there is room`,
    );
  }

  async close(): Promise<void> {
    this.failure ??= new MongoError(ERROR_CODES.ShutdownInProgress, 'the server is shutting down');
    while (this.committing) await new Promise((resolve) => setTimeout(resolve, 1));
    this.room.close();
    await this.db.close();
  }
}

const META_PAGES = 2;

/** On a full disk a commit takes new pages before it gives old ones back, so each must be small. */
const FULL_COMMIT_TASKS = 4;
const FULL_TASK_DOCUMENTS = 10;

interface TreeStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

interface FileStats {
  root: TreeStats;
  free: TreeStats;
}

const pagesOf = (tree: TreeStats): number => tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages;

/** As lmdb throws it: the reason is in a promise of its own. */
type CommitError = Error & { commitError?: Promise<never>; code?: number | string };

/** LMDB gives the system's number of the error; a write that was cut short is EIO, which the next growth makes plain. */
const isFullReason = ({ code }: CommitError): boolean =>
  typeof code === 'number' && [constants.errno.ENOSPC, constants.errno.EFBIG, constants.errno.EDQUOT].includes(code);

function openFile(path: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    keyEncoding: 'binary',
    // A commit then returns only after the disk has it; otherwise it may return before.
    overlappingSync: false,
    // Its batches of an event turn would hold a promise that nobody can wait for, and that a failed commit rejects.
    eventTurnBatching: false,
    cache: false,
    maxDbs: 1,
  });
}

/** A new file gets its name once it is whole: one of 0 bytes under that name is a loss, and never a start cut short. */
async function makeFile(path: string): Promise<void> {
  const draft = path.replace(/\.mdb$/, '.new.mdb');
  for (const file of [draft, `${draft}-lock`]) rmSync(file, { force: true });
  const made = openFile(draft);
  await made.transaction(() => made.putSync(NEXT_ID_KEY, FIRST_ID));
  await made.close();
  rmSync(`${draft}-lock`, { force: true });
  renameSync(draft, path);
}

function runTask(task: Task): () => void {
  try {
    const result = task.run();
    return () => task.resolve(result as never);
  } catch (error) {
    return () => task.reject(error);
  }
}
