import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';
import { StartError } from '../starter/problems.mjs';
import { documentsIn, valuesOf } from './bson.ts';
import { SERVICES } from './contents.ts';
import { FORMAT, MANIFEST, MANIFEST_HASH, MANIFEST_MAC, type Manifest, type Part } from './export.ts';
import { isAuthentic, openSecrets } from './secrets.ts';
import { type Entry, entriesOf, hashOf, readAt } from './tar.ts';

const decompress = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
/** A part is at most 4 MiB and one more document of at most 16 MiB. */
const PART_BYTES_MAX = 24 * 1024 * 1024;
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

/** A backup open for reading. */
export class Backup {
  /** Path of the file. */
  readonly path: string;
  /** Its manifest; not yet verified. */
  readonly manifest: Manifest;
  /** SHA-256 of the manifest, hex. */
  readonly manifestHash: string;
  /** HMAC of the manifest, hex. */
  readonly mac: string;
  readonly #file: FileHandle;
  readonly #entries: Map<string, Entry>;
  readonly #manifestBytes: Buffer;

  private constructor(path: string, file: FileHandle, entries: Map<string, Entry>, read: ManifestRead) {
    this.path = path;
    this.#file = file;
    this.#entries = entries;
    this.manifest = read.manifest;
    this.manifestHash = read.sha256;
    this.mac = read.mac;
    this.#manifestBytes = read.bytes;
  }

  /**
   * Opens a backup and reads its manifest.
   * @throws {StartError} when it cannot be read, or is not a backup
   */
  static async open(path: string): Promise<Backup> {
    const file = await open(path, 'r').catch((error) => {
      throw new StartError(`${path} cannot be read (${error.code}).`);
    });
    try {
      const entries = await entriesOf(file, path);
      return new Backup(path, file, entries, await manifestIn(file, path, entries));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Entries by name. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Iterates over the parts of all collections in the manifest. */
  *parts(): Generator<Part> {
    for (const collections of Object.values(this.manifest.databases))
      for (const { parts } of Object.values(collections)) yield* parts;
  }

  /**
   * Reads the whole file once: every part must be unchanged, and nothing may be added.
   * @throws {StartError} naming the part
   */
  async verify(): Promise<void> {
    const { files, secrets } = this.manifest;
    const named = [...this.parts(), ...files, ...(secrets ? [secrets] : [])];
    const known = new Set([MANIFEST, MANIFEST_HASH, MANIFEST_MAC, ...named.map(({ name }) => name)]);
    const foreign = [...this.#entries.keys()].find((name) => !known.has(name));
    if (foreign !== undefined) throw new StartError(`${this.path} contains ${foreign}, which is not in its manifest.`);
    for (const { name, bytes, sha256 } of named) {
      const entry = this.#entries.get(name);
      if (!entry) throw new StartError(`${this.path} lacks ${name}.`);
      if (entry.bytes !== bytes || (await hashOf(this.#file, entry)) !== sha256)
        throw new StartError(`${this.path} is damaged: the hash of ${name} does not match.`);
    }
  }

  /** Whether the writer of the manifest had this key. Together with verify() this proves the whole file. */
  isOf(tombstoneKey: string): boolean {
    return isAuthentic(this.#manifestBytes, this.mac, tombstoneKey);
  }

  /**
   * Iterates over the documents of a collection as bytes, part by part.
   * @returns nothing for a missing collection
   */
  async *batches(service: string, collection: string): AsyncGenerator<Buffer[]> {
    for (const { name, documents } of this.manifest.databases[service]?.[collection]?.parts ?? []) {
      const found = await this.#documentsOf(name);
      if (found.length !== documents)
        throw new StartError(`${this.path} is damaged: ${name} has ${found.length} documents, not ${documents}.`);
      yield found;
    }
  }

  async *documents(service: string, collection: string): AsyncGenerator<Buffer> {
    for await (const batch of this.batches(service, collection)) yield* batch;
  }

  /**
   * Returns a file of the data folder.
   * @throws {StartError} when the backup lacks it
   */
  async bytesOf(name: string): Promise<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new StartError(`${this.path} lacks ${name}.`);
    return readAt(this.#file, entry.offset, entry.bytes);
  }

  /** @throws {StartError} for a wrong passphrase */
  async openSecrets(passphrase: string): Promise<Record<string, string>> {
    if (!this.manifest.secrets) throw new StartError(`${this.path} has no secrets.`);
    return openSecrets(await this.bytesOf(this.manifest.secrets.name), passphrase, this.manifest.instant);
  }

  async #documentsOf(name: string) {
    try {
      const part = await decompress(await this.bytesOf(name), { maxOutputLength: PART_BYTES_MAX });
      return [...documentsIn(part)];
    } catch (error) {
      throw new StartError(`${this.path} is damaged: ${name} cannot be read (${(error as Error).message}).`);
    }
  }
}

interface ManifestRead {
  manifest: Manifest;
  bytes: Buffer;
  sha256: string;
  mac: string;
}

async function manifestIn(file: FileHandle, path: string, entries: Map<string, Entry>): Promise<ManifestRead> {
  const entryOf = (name: string) => {
    const entry = entries.get(name);
    if (!entry || entry.bytes > MANIFEST_BYTES_MAX)
      throw new StartError(`${path} is not a CORD export: it has no ${name}.`);
    return entry;
  };
  const bytesOf = (name: string) => readAt(file, entryOf(name).offset, entryOf(name).bytes);
  const textOf = async (name: string) => (await bytesOf(name)).toString('utf8').trim();
  const [bytes, sha256, mac] = [await bytesOf(MANIFEST), await textOf(MANIFEST_HASH), await textOf(MANIFEST_MAC)];
  if ((await hashOf(file, entryOf(MANIFEST))) !== sha256)
    throw new StartError(`${path} is damaged: the hash of ${MANIFEST} does not match.`);
  const manifest: Manifest = JSON.parse(bytes.toString('utf8'));
  const { format, version, databases } = manifest;
  if (format !== FORMAT.format || version !== FORMAT.version)
    throw new StartError(`${path} has format ${format} ${version}; this release reads ${FORMAT.version}.`);
  const foreign = Object.keys(databases).find((service) => !SERVICES.includes(service));
  if (foreign !== undefined) throw new StartError(`${path} has data of ${foreign}, a service that this release lacks.`);
  return { manifest, bytes, sha256, mac };
}

/**
 * Returns the admins in a backup: an import gives them that role.
 * @returns sorted by name
 */
export async function adminsIn(backup: Backup): Promise<{ username: string; discordId: string }[]> {
  const admins: { username: string; discordId: string }[] = [];
  for await (const bytes of backup.documents('auth', 'users')) {
    const { isAdmin, username, discordId } = valuesOf(bytes);
    if (isAdmin) admins.push({ username: String(username), discordId: String(discordId) });
  }
  return admins.sort((a, b) => (a.username < b.username ? -1 : 1));
}
