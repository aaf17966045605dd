import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { StartError } from '../starter/problems.mjs';

/*
 * The subset of POSIX ustar that a backup uses: plain files with short names, so that `tar -tf` lists it. Entry names
 * never become paths here.
 */
const BLOCK = 512;
const NAME_BYTES_MAX = 100;
const READ_BYTES = 1024 * 1024;

/** Writes entries into a new file that only its owner can read. */
export class TarWriter {
  readonly #file: FileHandle;
  #written = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @param path of a file that does not exist yet */
  static async create(path: string): Promise<TarWriter> {
    return new TarWriter(await open(path, 'wx', 0o600));
  }

  async add(name: string, bytes: Buffer): Promise<{ name: string; bytes: number; sha256: string }> {
    await this.#write(headerOf(name, bytes.length));
    await this.#write(bytes);
    await this.#write(Buffer.alloc(padding(bytes.length)));
    return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  /**
   * Ends the archive and syncs it to disk.
   * @returns its size in bytes
   */
  async close(): Promise<number> {
    await this.#write(Buffer.alloc(2 * BLOCK));
    await this.#file.sync();
    await this.#file.close();
    return this.#written;
  }

  async abandon(): Promise<void> {
    await this.#file.close();
  }

  async #write(bytes: Buffer) {
    await this.#file.writeFile(bytes);
    this.#written += bytes.length;
  }
}

/** Position of an entry's bytes. */
export interface Entry {
  offset: number;
  bytes: number;
}

/**
 * Returns the position of each entry of an archive, by name, without reading the content.
 * @param path for messages
 * @throws {StartError} for a file that is not an archive, is truncated, or has a name twice
 */
export async function entriesOf(file: FileHandle, path: string): Promise<Map<string, Entry>> {
  const { size } = await file.stat();
  const found = new Map<string, Entry>();
  for (let at = 0; ; ) {
    const header = await readAt(file, at, BLOCK);
    if (header.length < BLOCK) throw cutOff(path);
    if (header.every((byte) => byte === 0)) return found;
    const { name, bytes } = readHeader(header, path);
    const offset = at + BLOCK;
    at = offset + bytes + padding(bytes);
    if (at > size) throw cutOff(path);
    if (found.has(name)) throw new StartError(`${path} contains ${name} twice: it is not a CORD export.`);
    found.set(name, { offset, bytes });
  }
}

/** @returns fewer bytes than requested at the end of the file */
export async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const into = Buffer.alloc(bytes);
  for (let filled = 0; filled < bytes; ) {
    const { bytesRead } = await file.read(into, filled, bytes - filled, offset + filled);
    if (bytesRead === 0) return into.subarray(0, filled);
    filled += bytesRead;
  }
  return into;
}

/** @returns the SHA-256 of an entry, read in chunks */
export async function hashOf(file: FileHandle, { offset, bytes }: Entry): Promise<string> {
  const hash = createHash('sha256');
  for (let done = 0; done < bytes; done += READ_BYTES)
    hash.update(await readAt(file, offset + done, Math.min(READ_BYTES, bytes - done)));
  return hash.digest('hex');
}

function headerOf(name: string, bytes: number) {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new RangeError(`${name} is too long for an archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  header.write(name, 0, 'utf8');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(0, 136, 12);
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  octal(checksum(header), 148, 7);
  return header;
}

function readHeader(header: Buffer, path: string) {
  const text = (at: number, length: number) => header.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const isOurs = text(257, 5) === 'ustar' && text(156, 1) === '0';
  const bytes = Number.parseInt(text(124, 12), 8);
  if (!isOurs || Number.parseInt(text(148, 8), 8) !== checksum(header) || !Number.isSafeInteger(bytes))
    throw new StartError(`${path} is not a CORD export, or it is damaged.`);
  return { name: text(0, NAME_BYTES_MAX), bytes };
}

/** Sums all bytes of a header, with blanks for the checksum field. */
function checksum(header: Buffer) {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += header.readUInt8(at);
  return sum;
}

const padding = (bytes: number) => (BLOCK - (bytes % BLOCK)) % BLOCK;

const cutOff = (path: string) => new StartError(`${path} is truncated.`);
