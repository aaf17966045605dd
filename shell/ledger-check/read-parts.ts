import * as logEndpoints from '@cord/contracts/addresses/log';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import type { ChainEntry } from '@cord/contracts/proof/chain';
import { TILE_WIDTH, tilePath } from '@cord/contracts/proof/log-tree';
import { readCheckpoint, readNote } from '@cord/contracts/proof/note';
import { numberToMicro } from '@cord/contracts/rules/money';
import type { Api } from '@cord/sdk';
import type { LogKey } from './check';
import { noRoot } from './no-root';

/** Entries of one page. */
const PAGE = 200;

export type LedgerProof = ResponseOf<typeof logEndpoints.proof>;

/** What a check reads from the server. */
export interface CheckParts {
  proof: LedgerProof;
  /** Of the day of the proof. */
  root: ResponseOf<typeof logEndpoints.root>;
  later: ChainEntry[];
  keys: LogKey[];
  begun: string | null;
  checkpoint: string;
  hashes: Uint8Array;
}

/** Reads a file of the log by its path below it. @throws where there is no good answer */
export type ReadLog = (path: string, signal: AbortSignal) => Promise<Uint8Array>;

export const readLog: ReadLog = async (path, signal) => {
  // A checkpoint of seconds ago may be older than the proof; tiles never change.
  const cache = path === 'checkpoint' ? 'no-store' : 'default';
  const answer = await fetch(`/api/log/${path}`, { signal, cache, credentials: 'omit' });
  if (!answer.ok) throw new Error(`/log/${path} answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

/**
 * Reads proof, root, newer entries, keys, checkpoint and the hashes of the log.
 * @param after entries that are left out, because they were checked before
 * @throws ApiError, of `no-root` where there is no root with this account; Error of `log`
 */
export async function readParts(
  api: Pick<Api, 'call'>,
  { account, after = 0, log = readLog }: { account: string; after?: number; log?: ReadLog | undefined },
  signal: AbortSignal,
): Promise<CheckParts> {
  const query = after === 0 ? {} : { after: String(after) };
  const { keys, begun } = await api.call(logEndpoints.keys, { signal });
  if (keys.length === 0) throw noRoot();
  const proof = await api.call(logEndpoints.proof, { params: { id: account }, query, signal });
  const root = await api.call(logEndpoints.root, { params: { day: proof.leaf.day }, signal });
  const later = await entriesAfter(api, account, Number(proof.leaf.n), signal);
  const checkpoint = new TextDecoder().decode(await log('checkpoint', signal));
  const hashes = await hashesOf(checkpoint, log, signal);
  return { proof, root, later, keys, begun, checkpoint, hashes };
}

async function entriesAfter(api: Pick<Api, 'call'>, account: string, n: number, signal: AbortSignal) {
  const found: ChainEntry[] = [];
  for (let after: string | null = String(n); after !== null; ) {
    const query = { after, limit: String(PAGE) };
    const page: ResponseOf<typeof miningEndpoints.ledger> = await api.call(miningEndpoints.ledger, {
      ...{ params: { id: account }, query, signal },
    });
    found.push(...page.entries.map(chainEntryOf));
    after = page.nextCursor;
  }
  return found;
}

/** An entry of a listing as proofs have it. */
function chainEntryOf(entry: ResponseOf<typeof miningEndpoints.ledger>['entries'][number]): ChainEntry {
  const { id: key, n, seq, source, reason, facts, hash } = entry;
  const [amount, balance] = [entry.amount, entry.balance].map((cord) => String(numberToMicro(cord))) as [
    string,
    string,
  ];
  return { n, seq, key, source, amount, balance, at: String(Date.parse(entry.at)), reason, facts, hash };
}

/** The hashes of all records of a log, out of the lowest row of its tiles. Nothing for what is no checkpoint. */
async function hashesOf(checkpoint: string, log: ReadLog, signal: AbortSignal): Promise<Uint8Array> {
  const { size = 0 } = readCheckpoint(readNote(checkpoint)?.text ?? '') ?? {};
  const tiles: Uint8Array[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1)
    tiles.push(await log(tilePath({ index, width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH) }, 0), signal));
  return new Uint8Array(await new Blob(tiles as BlobPart[]).arrayBuffer());
}
