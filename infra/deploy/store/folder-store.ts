import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Refused } from './refused.js';

/** A file of the store. */
export interface StoredFile {
  path: string;
  bytes: number;
  /** hex */
  sha256: string;
}

/** Contents by path. */
export type Contents = Readonly<Record<string, Uint8Array>>;

/** The port of the module store. Its only condition is "create if absent", which every object store supports too. */
export interface ModuleStore {
  /** Its folder. */
  readonly where: string;
  /** Writes a text durably and atomically, unless it exists; then false. @throws Refused when this user may not write */
  create(key: string, text: string): Promise<boolean>;
  read(key: string): Promise<string | null>;
  /** Lists the direct children, sorted, without names that begin with a dot. */
  names(prefix: string): Promise<string[]>;
  /** Stores files atomically; false when some exist, which stay. @throws Refused for a link, or without permission */
  upload(prefix: string, from: string | Contents): Promise<boolean>;
  describe(prefix: string): Promise<StoredFile[]>;
  /** A text that changes with the file; null if there is none. */
  stamp(key: string): Promise<string | null>;
  /** SHA-256 of a file, hex. */
  sha256(key: string): Promise<string>;
  /** Records that it is in use now; false if it is missing. Read-only files stay as they are. */
  touch(prefix: string): Promise<boolean>;
  /** Deletes it unless it was uploaded or touched since. */
  removeUntouched(prefix: string, beforeMs: number): Promise<boolean>;
  /** Deletes leftovers of aborted writes. @param report called with what cannot be deleted */
  sweep(report: (line: string) => void): Promise<void>;
}

/** Folder of files being written or deleted, under temporary names on the same file system. */
const DRAFTS = '.drafts';
/** The same for the journals, which may be the only writable part when the store is mounted read-only. */
const JOURNALS = '.lines';
/** Maximum duration of a write, ms. */
const DRAFT_AGE_MS = 24 * 3_600_000;
/** File system errors of a denied write. */
const DENIED = ['EROFS', 'EACCES', 'EPERM'];
/** Errors of a name that does not or cannot exist: below a file, or too long. Request paths may contain these. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];
/** Mode of a file: gateways may run as another user than the writer, whose umask must not matter. */
const READABLE = 0o644;
const ROOT_USER = 0;
/** Whether a file is internal to the build. */
const isOfTheBuild = (name: string) => name.startsWith('.');

/**
 * The module store in a folder. A text is written to a draft, synced and linked to its name. link refuses an existing
 * name, so of two writers one wins, on every file system with links; a reader sees the whole text or none.
 */
export function folderStore(folder: string): ModuleStore {
  const at = (key: string) => path.join(folder, key);
  const draftName = () => at(`${DRAFTS}/${randomUUID()}`);

  /** @throws Refused when this user may not write */
  async function orRefused<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      if (!DENIED.includes(codeOf(error))) throw error;
      throw new Refused(
        `user ${process.getuid?.()} may not write to ${folder}, all of which has to belong to the user that CORD runs as: ${(error as Error).message}`,
      );
    }
  }

  /**
   * Gateways add to a publish's folders and delete them. They run as the user of the journals; root may own those of a volume.
   * @param made a folder of this process; deleted with a refusal
   * @throws Refused when that user could not write there
   */
  async function refuseForeign(made: string): Promise<void> {
    const journals = await found(stat(at(JOURNALS)));
    const { uid, gid, mode } = await stat(made);
    const isShared = gid === journals?.gid && (mode & 0o070) === 0o070;
    if (!journals || isShared || [uid, ROOT_USER].includes(journals.uid)) return;
    await rm(made, { recursive: true, force: true });
    throw new Refused(
      `user ${uid} may not publish to ${folder}: CORD runs there as user ${journals.uid}, who could not take the files away again. Publish as that user`,
    );
  }

  async function create(key: string, text: string): Promise<boolean> {
    const draft = key.startsWith(`${JOURNALS}/`) ? at(`${JOURNALS}/${DRAFTS}/${randomUUID()}`) : draftName();
    await makeFolder(path.dirname(draft));
    await makeFolder(path.dirname(at(key)));
    try {
      await writeSynced(draft, text, READABLE);
      return await taken(link(draft, at(key)), path.dirname(at(key)));
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function upload(prefix: string, from: string | Contents): Promise<boolean> {
    if (await found(stat(at(prefix)))) return false;
    const draft = draftName();
    try {
      await refuseForeign((await makeFolder(draft)) ?? draft);
      await makeFolder(path.dirname(at(prefix)));
      await (typeof from === 'string' ? copySynced(from, draft) : writeAllSynced(from, draft));
      return await taken(rename(draft, at(prefix)), path.dirname(at(prefix)));
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  async function describe(prefix: string): Promise<StoredFile[]> {
    const files = (await filesIn(at(prefix))).sort();
    return Promise.all(
      files.map(async (file) => {
        const bytes = await readFile(path.join(at(prefix), file));
        return { path: file.replaceAll('\\', '/'), bytes: bytes.length, sha256: sha256Of(bytes) };
      }),
    );
  }

  async function removeUntouched(prefix: string, beforeMs: number): Promise<boolean> {
    const before = await found(stat(at(prefix)));
    if (!before || before.mtimeMs >= beforeMs) return false;
    const leaving = draftName();
    await makeFolder(path.dirname(leaving));
    // Moved first: a later touch finds it gone, and an earlier touch is visible in the time.
    if (!(await found(rename(at(prefix), leaving).then(() => true)))) return false;
    const wanted = (await stat(leaving)).mtimeMs >= beforeMs;
    if (wanted) await taken(rename(leaving, at(prefix)), path.dirname(at(prefix)));
    await rm(leaving, { recursive: true, force: true });
    return !wanted;
  }

  return {
    where: folder,
    create: (key, text) => orRefused(create(key, text)),
    read: (key) => found(readFile(at(key), 'utf8')),
    names: async (prefix) => ((await found(readdir(at(prefix)))) ?? []).filter((name) => !name.startsWith('.')).sort(),
    upload: (prefix, from) => orRefused(upload(prefix, from)),
    describe,
    async stamp(key) {
      const file = await found(stat(at(key)));
      // Includes the inode's change time, which nobody can set.
      return file?.isFile() ? [file.ino, file.size, file.mtimeMs, file.ctimeMs].join(' ') : null;
    },
    sha256: async (key) => sha256Of(await readFile(at(key))),
    async touch(prefix) {
      try {
        return (await found(utimes(at(prefix), new Date(), new Date()).then(() => true))) ?? false;
      } catch (error) {
        if (!DENIED.includes(codeOf(error))) throw error;
        return (await found(stat(at(prefix)))) !== null;
      }
    },
    removeUntouched,
    async sweep(report) {
      for (const drafts of [at(DRAFTS), at(`${JOURNALS}/${DRAFTS}`)])
        for (const name of (await found(readdir(drafts))) ?? []) {
          const draft = path.join(drafts, name);
          const age = Date.now() - ((await found(stat(draft)))?.mtimeMs ?? Date.now());
          if (age <= DRAFT_AGE_MS) continue;
          await rm(draft, { recursive: true, force: true }).catch((error: Error) =>
            report(`${draft} stays: ${error.message}`),
          );
        }
    },
  };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the code of a file system error; empty for any other. */
function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** @returns the result, or null when there is no such file or folder */
async function found<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (ABSENT.includes(codeOf(error))) return null;
    throw error;
  }
}

/** @returns whether the name was free; then it is on the disk */
async function taken(named: Promise<void>, folder: string): Promise<boolean> {
  try {
    await named;
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) return false;
    throw error;
  }
  await syncFolder(folder);
  return true;
}

async function writeSynced(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(content);
    // A share without modes (CIFS) always refuses it.
    await handle.chmod(mode).catch((error) => {
      if (codeOf(error) !== 'EPERM') throw error;
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies and syncs a tree, without internal files. Refuses links: they could point anywhere. @throws Refused */
async function copySynced(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => !isOfTheBuild(name));
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
      if (entry.isDirectory()) return copySynced(source, target);
      if (!entry.isFile()) throw new Refused(`${source} is neither a file nor a folder`);
      await writeSynced(target, await readFile(source), READABLE);
    }),
  );
  await syncFolder(to);
}

/** Writes read-only files. */
async function writeAllSynced(contents: Contents, to: string): Promise<void> {
  const folders = new Set(Object.keys(contents).map((name) => path.dirname(path.join(to, name))));
  await Promise.all([...folders].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all(Object.entries(contents).map(([name, bytes]) => writeSynced(path.join(to, name), bytes, 0o444)));
  await Promise.all([to, ...folders].map(syncFolder));
}

async function filesIn(folder: string, prefix = ''): Promise<string[]> {
  const entries = await readdir(path.join(folder, prefix), { withFileTypes: true });
  const nested = await Promise.all(
    entries.map((entry) => {
      const name = path.join(prefix, entry.name);
      return entry.isDirectory() ? filesIn(folder, name) : [name];
    }),
  );
  return nested.flat();
}

/** Makes a folder and its parents, and syncs the first new name. @returns that one */
async function makeFolder(folder: string): Promise<string | undefined> {
  const first = await mkdir(folder, { recursive: true });
  if (first) await syncFolder(path.dirname(first));
  return first;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
