import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/*
 * The layout of an LMDB file (lmdb.h, mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node), as far as it is needed to check that
 * it is complete. LMDB trusts its file: with missing or foreign pages the process ends silently, or data is missing.
 */
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const HEADER_BYTES = 24;
const FLAG = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;
const NO_PAGE = 0xffffffffffffffffn;
const BIG_DATA = 1;
const NODE_BYTES = 8;
const SMALLEST_PAGE = 512;
const LARGEST_PAGE = 65_536;
const MAX_DEPTH = 32;

/** The data file is damaged. The message names the file and the damage. */
export class DamagedFile extends Error {
  constructor(path: string, what: string) {
    super(`the data file ${path} is damaged: ${what}`);
    this.name = 'DamagedFile';
  }
}

interface Tree {
  root: bigint;
  branchPages: bigint;
  leafPages: bigint;
  overflowPages: bigint;
  entries: bigint;
}

/** The position of a key in its page. */
interface Span {
  start: number;
  end: number;
}

type InOrder = (page: Buffer, a: Span, b: Span) => boolean;

interface Meta {
  pageSize: number;
  lastPage: bigint;
  transaction: bigint;
  trees: readonly [Tree, Tree];
}

/**
 * Reads every page that the newest commit reaches: its number, kind and bounds, the order of its keys, and in the end the
 * counts that the commit noted. A missing file is valid. Throws DamagedFile.
 */
export function checkDataFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    new Inspection(path, file).run();
  } finally {
    closeSync(file);
  }
}

class Inspection {
  private readonly path: string;
  private readonly file: number;
  private readonly size: number;
  private meta!: Meta;
  private isInOrder!: InOrder;
  private seen = { branch: 0n, leaf: 0n, overflow: 0n, entries: 0n };

  constructor(path: string, file: number) {
    this.path = path;
    this.file = file;
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new DamagedFile(path, 'it is not a file');
    this.size = facts.size;
  }

  run(): void {
    if (this.size === 0) this.fail('it is empty (0 bytes)');
    const first = this.readMeta(0, 0);
    const second = this.readMeta(1, first.pageSize);
    if (second.pageSize !== first.pageSize) this.fail('its two heads have different page sizes');
    this.meta = second.transaction > first.transaction ? second : first;
    const [free, main] = this.meta.trees;
    // The free list has numbers for keys, in this machine's order of bytes.
    this.checkTree(free, (bytes, a, b) => bytes.readBigUInt64LE(a.start) < bytes.readBigUInt64LE(b.start));
    this.checkTree(main, (bytes, a, b) => bytes.compare(bytes, b.start, b.end, a.start, a.end) < 0);
  }

  private fail(what: string): never {
    throw new DamagedFile(this.path, what);
  }

  private readMeta(place: 0 | 1, offset: number): Meta {
    const bytes = Buffer.alloc(HEADER_BYTES + 136);
    if (readSync(this.file, bytes, 0, bytes.length, offset) < bytes.length)
      this.fail(`it ends at ${this.size} bytes, inside head ${place + 1} of 2`);
    const isHead = (bytes.readUInt16LE(18) & FLAG.meta) !== 0 && bytes.readUInt32LE(24) === MAGIC;
    if (!isHead) this.fail(`head ${place + 1} of 2 does not belong to a store`);
    const version = bytes.readUInt32LE(28) & 0xffff;
    if (version !== DATA_VERSION)
      this.fail(`head ${place + 1} of 2 has format ${version}, this release reads ${DATA_VERSION}`);
    const pageSize = bytes.readUInt32LE(48);
    const isPower = (pageSize & (pageSize - 1)) === 0;
    if (!isPower || pageSize < SMALLEST_PAGE || pageSize > LARGEST_PAGE)
      this.fail(`its page size ${pageSize} is invalid`);
    const meta: Meta = {
      pageSize,
      lastPage: bytes.readBigUInt64LE(144),
      transaction: bytes.readBigUInt64LE(152),
      trees: [treeAt(bytes, 48), treeAt(bytes, 96)],
    };
    return meta;
  }

  private checkTree(tree: Tree, isInOrder: InOrder): void {
    this.isInOrder = isInOrder;
    this.seen = { branch: 0n, leaf: 0n, overflow: 0n, entries: 0n };
    if (tree.root !== NO_PAGE) this.checkPage(tree.root, 1);
    const { branch, leaf, overflow, entries } = this.seen;
    if (entries !== tree.entries) this.fail(`${entries} of ${tree.entries} entries were found`);
    if (branch !== tree.branchPages || leaf !== tree.leafPages || overflow !== tree.overflowPages)
      this.fail('its pages differ from those recorded');
  }

  private page(number: bigint): Buffer {
    const { pageSize, lastPage } = this.meta;
    const start = number * BigInt(pageSize);
    if (number > lastPage) this.fail(`page ${number} is referenced, but the last is ${lastPage}`);
    const bytes = Buffer.allocUnsafe(pageSize);
    if (
      start + BigInt(pageSize) > BigInt(this.size) ||
      readSync(this.file, bytes, 0, pageSize, Number(start)) < pageSize
    )
      this.fail(`it ends at ${this.size} bytes, before page ${number} (truncated)`);
    if (bytes.readBigUInt64LE(0) !== number) this.fail(`page ${number} was overwritten`);
    return bytes;
  }

  private checkPage(number: bigint, depth: number): void {
    const bytes = this.page(number);
    const kind = bytes.readUInt16LE(18);
    const isBranch = (kind & FLAG.branch) !== 0;
    if ((!isBranch && (kind & FLAG.leaf) === 0) || depth > MAX_DEPTH) this.fail(`page ${number} was overwritten`);
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)];
    // Offsets in a page are counted from the end of its header.
    const room = this.meta.pageSize - HEADER_BYTES;
    if (lower > upper || upper > room || lower % 2 !== 0) this.fail(`page ${number} has impossible bounds`);
    const count = lower / 2;
    if (isBranch) this.seen.branch++;
    else this.seen.leaf++;
    let before: Span | undefined;
    for (let place = 0; place < count; place++) {
      const node = bytes.readUInt16LE(HEADER_BYTES + 2 * place) + HEADER_BYTES;
      if (node + NODE_BYTES > bytes.length) this.fail(`page ${number} has an entry outside of it`);
      const key = { start: node + NODE_BYTES, end: node + NODE_BYTES + bytes.readUInt16LE(node + 6) };
      if (key.end > bytes.length) this.fail(`page ${number} has a key outside of it`);
      if (isBranch) this.checkPage(childOf(bytes, node), depth + 1);
      else this.checkValue(bytes, number, node, key.end);
      if (before !== undefined && !this.isInOrder(bytes, before, key))
        this.fail(`page ${number} has its keys out of order`);
      // The first key of a branch page stands for all below the second.
      if (!isBranch || place > 0) before = key;
    }
  }

  private checkValue(bytes: Buffer, number: bigint, node: number, start: number): void {
    this.seen.entries++;
    const size = bytes.readUInt32LE(node);
    if ((bytes.readUInt16LE(node + 4) & BIG_DATA) === 0) {
      if (start + size > bytes.length) this.fail(`page ${number} has a value outside of it`);
      return;
    }
    if (start + 24 > bytes.length) this.fail(`page ${number} has a value outside of it`);
    const first = bytes.readBigUInt64LE(start);
    const pages = bytes.readBigUInt64LE(start + 16);
    const head = this.page(first);
    if ((head.readUInt16LE(18) & FLAG.overflow) === 0 || BigInt(head.readUInt32LE(20)) !== pages)
      this.fail(`page ${first} was overwritten`);
    const end = (first + pages) * BigInt(this.meta.pageSize);
    if (pages * BigInt(this.meta.pageSize) < BigInt(HEADER_BYTES + size) || end > BigInt(this.size))
      this.fail(`it ends at ${this.size} bytes, inside a value at page ${first} (truncated)`);
    this.seen.overflow += pages;
  }
}

function treeAt(bytes: Buffer, at: number): Tree {
  return {
    branchPages: bytes.readBigUInt64LE(at + 8),
    leafPages: bytes.readBigUInt64LE(at + 16),
    overflowPages: bytes.readBigUInt64LE(at + 24),
    entries: bytes.readBigUInt64LE(at + 32),
    root: bytes.readBigUInt64LE(at + 40),
  };
}

/** The page below a node of a branch page: 48 bits, the upper 16 where a leaf has its flags. */
function childOf(bytes: Buffer, node: number): bigint {
  return BigInt(bytes.readUInt32LE(node)) + (BigInt(bytes.readUInt16LE(node + 4)) << 32n);
}
