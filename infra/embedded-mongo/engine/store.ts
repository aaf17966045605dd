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

/** Whether a write takes or frees space: on a full disk only those that free space run. */
export type WriteKind = 'fills' | 'frees';

export interface StoreOptions {
  /** Space reserved in the file for deletes on a full disk, bytes. */
  reserveBytes?: number;
  warn?: (message: string) => void;
}

const DATA_FILE = 'store.mdb';
const FIRST_ID = Buffer.from([0, 0, 0, 1]);

/**
 * The ordered, durable key space in one LMDB file. Writes are tasks: those that arrive while a commit is on
 * its way to the disk share the next transaction (group commit), and each promise resolves only once its commit is synced.
 */
export class Store {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private waiting: Task[] = [];
  private committing = false;
  private failure: Error | undefined;
  /** The disk is full: only writes that free space run. */
  private isFull = false;
  private afterRollback: () => void = () => undefined;
  private readonly path: string;
  private readonly room: Room;
  private readonly warn: (message: string) => void;
  /** Number of synced commits. */
  commits = 0;

  private constructor(path: string, { reserveBytes = RESERVE_BYTES, warn = () => undefined }: StoreOptions) {
    this.path = path;
    this.warn = warn;
    this.db = openFile(path);
    this.room = new Room(path, reserveBytes);
    this.keepRoom();
  }

  /**
   * Opens or creates the store of a folder. Throws DamagedFile for a damaged file, and an Error that names the
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

  /** Registers a listener that must reload its state: a commit has failed, and all its writes are gone. */
  onRollback(again: () => void): void {
    this.afterRollback = again;
  }

  get(key: Buffer): Buffer | undefined {
    return this.db.getBinary(key);
  }

  has(key: Buffer): boolean {
    return this.db.doesExist(key);
  }

  /** Returns at most `limit` entries in order. */
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

  /** Makes later reads see every commit so far. */
  refresh(): void {
    if (!this.committing) this.db.resetReadTxn();
  }

  /**
   * Runs `task` exclusively, with all earlier writes visible, and resolves with its result once it is on disk. A task must check
   * everything before its first put: throwing undoes nothing. Rejects with MongoError 14031 if the disk is full; then
   * nothing of it is stored.
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

  /** Runs `read` with all earlier writes visible: at once, or inside a write task while a commit is in progress. */
  async current<T>(read: () => T): Promise<T> {
    if (!this.committing) {
      this.refresh();
      return read();
    }
    return this.write(read, 'frees').catch((error) => {
      // The writes that shared its commit had no space, which is no reason to refuse a read.
      if (error instanceof MongoError && error.code === ERROR_CODES.OutOfDiskSpace) return this.current(read);
      throw error;
    });
  }

  /** How many of `count` documents one write task may change: few on a full disk, because pages become free only by commits. */
  share(count: number): number {
    return this.isFull ? Math.min(count, FULL_TASK_DOCUMENTS) : count;
  }

  /** Call it only inside a write task. */
  put(key: Buffer, value: Buffer): void {
    this.db.putSync(key, value);
  }

  /** Call it only inside a write task. */
  remove(key: Buffer): void {
    this.db.removeSync(key);
  }

  /** Copies the committed data to a folder for a separate server. @returns the folder */
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
   * After a failed commit nothing is on disk and memory is ahead of it: the state is reloaded, then writing continues. Any reason
   * other than a full disk stops all writing until a restart.
   */
  private async rollBack(error: CommitError, tasks: readonly Task[]): Promise<void> {
    // The reason is in a separate promise that nothing else awaits.
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

  /** LMDB refuses every transaction after a fatal error; an empty transaction detects this. */
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
        ? `the disk of ${this.path} is full: reads and deletes continue, other writes are refused until there is space`
        : `the disk of ${this.path} has space again: writes continue`,
    );
  }

  private fullDisk(): MongoError {
    return new MongoError(
      ERROR_CODES.OutOfDiskSpace,
      `the disk of ${this.path} is full: reads and deletes continue, other writes are refused until there is space`,
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

/** On a full disk a commit allocates new pages before it frees old ones, so each commit must be small. */
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

/** An error of lmdb: the reason is in a separate promise. */
type CommitError = Error & { commitError?: Promise<never>; code?: number | string };

/** LMDB returns the system's error number. An incomplete write is EIO; the next growth then shows whether the disk is full. */
const isFullReason = ({ code }: CommitError): boolean =>
  typeof code === 'number' && [constants.errno.ENOSPC, constants.errno.EFBIG, constants.errno.EDQUOT].includes(code);

function openFile(path: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    keyEncoding: 'binary',
    // With this, a commit returns only after the sync.
    overlappingSync: false,
    // Batches of an event turn would have a promise that nothing can await and that a failed commit rejects.
    eventTurnBatching: false,
    cache: false,
    maxDbs: 1,
  });
}

/** Renames a new file to its name once it is complete, so that an empty file under that name always means lost data. */
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
