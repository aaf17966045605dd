import { toBase64, utf8 } from '@cord/contracts/proof/bytes';
import { bundleBytes, logJoin, recordHash, type Tile, tileBytes } from '@cord/contracts/proof/log-tree';
import { checkpointText, signedNote } from '@cord/contracts/proof/note';
import { tlogProofText } from '@cord/contracts/proof/records';
import { levels, pathIn, rootOf } from '@cord/contracts/proof/tree';
import { sha256 } from '../ledger/chain.js';
import type { LogKey } from './key.js';
import type { HeadDoc, RecordDoc, RootStore } from './store.js';

/** What the log is signed with. */
export interface LogParts {
  store: RootStore;
  key: LogKey;
  /** Name of the log where it has none yet. */
  origin: string;
}

const join = logJoin(sha256);
const hashesOf = (records: readonly RecordDoc[]) => records.map(({ text }) => recordHash(sha256, utf8(text)));

/**
 * Signs the log at its size. The root of a size is stored before it is signed, and only what is stored is signed: two roots of one size cannot
 * be, whatever is broken off.
 * @throws Error where the stored root of the size is another one, or the log belongs to another key
 */
export async function signLog({ store, key, origin: own }: LogParts): Promise<void> {
  const records = await store.records();
  if (records.length === 0) return;
  const log = await store.log({ origin: own, vkey: key.vkey(own) });
  const origin = log?.origin ?? own;
  if (log?.vkey !== key.vkey(origin)) throw new Error(`LEDGER_LOG_KEY is not the key ${log?.vkey} of the log`);
  const root = rootOf(hashesOf(records), join);
  const size = records.length;
  const head = await store.head(size, toBase64(root));
  if (head?.root !== toBase64(root)) throw new Error(`the log of size ${size} has another root than its records make`);
  if (head.checkpoint !== undefined) return;
  const text = checkpointText({ origin, size, root });
  await store.signHead(size, head.root, signedNote(text, [key.line(origin, text)]));
}

/** The proof that a record is in the log (C2SP tlog-proof). @param records those of the head, all */
export function tlogOf(index: number, { _id: size, checkpoint = '' }: HeadDoc, records: readonly RecordDoc[]): string {
  const tree = levels(hashesOf(records.slice(0, size)), join);
  return tlogProofText({ index, path: pathIn(tree, index), checkpoint });
}

/** A tile of the signed log; null for one that it has not. */
export function tileOf(
  { level, index, width }: Omit<Tile, 'level'> & { level: number | 'entries' },
  records: readonly RecordDoc[],
): Uint8Array | null {
  const each = level === 'entries' ? 1 : 256 ** level;
  if ((index * 256 + width) * each > records.length) return null;
  if (level !== 'entries') return tileBytes(sha256, { level, index, width }, hashesOf(records));
  return bundleBytes(records.slice(index * 256, index * 256 + width).map(({ text }) => utf8(text)));
}
