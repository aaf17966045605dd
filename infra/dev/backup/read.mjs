import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { StartError } from '../starter/problems.mjs';
import { isAuthentic } from './authenticity.mjs';
import { documentsIn } from './bson.mjs';
import { SERVICES } from './contents.mjs';
import { FORMAT, MANIFEST, MANIFEST_HASH, MANIFEST_MAC } from './export.mjs';
import { openSecrets } from './secrets.mjs';
import { entriesOf, hashOf, readAt } from './tar.mjs';

const decompress = promisify(gunzip);
/** A part is 4 MiB and one document more, of 16 MiB at the most. */
const PART_BYTES_MAX = 24 * 1024 * 1024;
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
const GZIP = [0x1f, 0x8b];

/** A backup that is being read. */
export class Backup {
  /** Where it lies. */
  path = '';
  /** @type {any} what it holds, as it says itself; not yet verified */
  manifest;
  /** SHA-256 of the manifest, hex. */
  manifestHash = '';

  /**
   * Opens it and reads its manifest.
   * @param {string} path
   * @throws {StartError} where it cannot be read, or is none
   */
  static async open(path) {
    const file = await open(path, 'r').catch((error) => {
      throw new StartError(`${path} cannot be read (${error.code}).`);
    });
    const backup = new Backup();
    Object.assign(backup, { path, file });
    try {
      await backup.#readManifest();
      return backup;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close() {
    return this.file.close();
  }

  /** Each part of the collections that the manifest names. */
  *parts() {
    for (const collections of Object.values(this.manifest.databases))
      for (const { parts } of Object.values(collections)) yield* parts;
  }

  /**
   * Reads all of it once: every part must be there as it was written, and nothing else.
   * @throws {StartError} naming the part
   */
  async verify() {
    const { files, secrets } = this.manifest;
    const named = [...this.parts(), ...files, ...(secrets ? [secrets] : [])];
    const known = new Set([MANIFEST, MANIFEST_HASH, MANIFEST_MAC, ...named.map(({ name }) => name)]);
    const foreign = [...this.entries.keys()].find((name) => !known.has(name));
    if (foreign !== undefined) throw new StartError(`${this.path} holds ${foreign}, which its manifest does not name.`);
    for (const { name, bytes, sha256 } of named) {
      const entry = this.entries.get(name);
      if (!entry) throw new StartError(`${this.path} lacks ${name}.`);
      if (entry.bytes !== bytes || (await hashOf(this.file, entry)) !== sha256)
        throw new StartError(`${this.path} is damaged: ${name} is not what was written.`);
    }
  }

  /**
   * Whether who wrote the manifest has this key. Beside verify() nothing of the file can be another's then.
   * @param {string} tombstoneKey
   */
  isOf(tombstoneKey) {
    return this.mac !== undefined && isAuthentic(this.manifestBytes, this.mac, tombstoneKey);
  }

  /**
   * The documents of a collection in bytes, part by part.
   * @returns {AsyncGenerator<Buffer[]>} nothing for a collection that is not there
   */
  async *batches(service, collection) {
    for (const { name, documents } of this.manifest.databases[service]?.[collection]?.parts ?? []) {
      const found = await this.#documentsOf(name);
      if (found.length !== documents)
        throw new StartError(`${this.path} is damaged: ${name} has ${found.length} documents, not ${documents}.`);
      yield found;
    }
  }

  async *documents(service, collection) {
    for await (const batch of this.batches(service, collection)) yield* batch;
  }

  /** @returns {Promise<Buffer>} a file of the data folder */
  bytesOf(name) {
    const { offset, bytes } = this.entries.get(name);
    return readAt(this.file, offset, bytes);
  }

  /** @throws {StartError} for another passphrase */
  async openSecrets(passphrase) {
    return openSecrets(await this.bytesOf(this.manifest.secrets.name), passphrase, this.manifest.instant);
  }

  async #documentsOf(name) {
    try {
      const part = await decompress(await this.bytesOf(name), { maxOutputLength: PART_BYTES_MAX });
      return [...documentsIn(part)];
    } catch (error) {
      throw new StartError(`${this.path} is damaged: ${name} cannot be read (${error.message}).`);
    }
  }

  async #readManifest() {
    const start = await readAt(this.file, 0, GZIP.length);
    if (start.equals(Buffer.from(GZIP)))
      throw new StartError(
        `${this.path} is an export of a release before this one: it is a data folder. Unpack it into an empty folder with "tar -xzf", start on that, and export again.`,
      );
    this.entries = await entriesOf(this.file, this.path);
    const [text, sha256] = await Promise.all([MANIFEST, MANIFEST_HASH].map((name) => this.#small(name)));
    if ((await hashOf(this.file, this.entries.get(MANIFEST))) !== sha256.toString('utf8').trim())
      throw new StartError(`${this.path} is damaged: ${MANIFEST} is not what was written.`);
    this.manifestBytes = text;
    this.manifestHash = sha256.toString('utf8').trim();
    this.mac = this.entries.has(MANIFEST_MAC) ? (await this.#small(MANIFEST_MAC)).toString('utf8').trim() : undefined;
    this.manifest = JSON.parse(text.toString('utf8'));
    const { format, version, databases } = this.manifest;
    if (format !== FORMAT.format || !(version >= 1 && version <= FORMAT.version))
      throw new StartError(
        `${this.path} is of format ${format} ${version}; this release reads up to ${FORMAT.version}.`,
      );
    const foreign = Object.keys(databases).find((service) => !SERVICES.includes(service));
    if (foreign !== undefined) throw new StartError(`${this.path} holds data of ${foreign}, which this release lacks.`);
  }

  #small(name) {
    const entry = this.entries.get(name);
    if (!entry || entry.bytes > MANIFEST_BYTES_MAX)
      throw new StartError(`${this.path} is not a CORD export: it has no ${name}.`);
    return this.bytesOf(name);
  }
}
