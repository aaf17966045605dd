import * as logEndpoints from '@cord/contracts/addresses/log';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import type { ChainEntry } from '@cord/contracts/proof/chain';
import { readRecords } from '@cord/contracts/proof/log-tree';
import { checkpointOf } from '@cord/contracts/proof/note';
import { readTlogProof } from '@cord/contracts/proof/records';
import { rulesText } from '@cord/contracts/proof/rules';
import { numberToMicro } from '@cord/contracts/rules/money';
import type { Api } from '@cord/sdk';
import { rulesQuery } from '@cord/sdk/host';
import type { LogKey } from './check';
import { orNoRoot } from './no-root';

/** Entries per page. */
const PAGE = 200;
/** Maximum number of reads; a root published during a read causes another one. */
const READS_MAX = 3;

export type LedgerProof = ResponseOf<typeof logEndpoints.proof>;

/** Data of a check, from the server. */
export interface CheckParts {
  proof: LedgerProof;
  /** Root of the proof's day. */
  root: ResponseOf<typeof logEndpoints.root>;
  later: ChainEntry[];
  keys: LogKey[];
  begun: string | null;
  checkpoint: string;
  /** All records of the log. */
  records: Uint8Array[];
  /** The day's rules from the rules page (`rulesText`); null when the proof has none to compare. */
  shownRules: string | null;
}

/** The log when no root includes the account. */
export interface NoParts {
  /** Whether the log has no root at all. */
  isEmpty: boolean;
  begun: string | null;
}

/** Reads a file of the log by its relative path. @throws on an error response */
export type ReadLog = (path: string, signal: AbortSignal) => Promise<Uint8Array>;

export const readLog: ReadLog = async (path, signal) => {
  // Not cached: an older checkpoint may precede the proof, and after a restart a path belongs to another log.
  const answer = await fetch(`/api/log/${path}`, { signal, cache: 'no-store', credentials: 'omit' });
  if (!answer.ok) throw new Error(`/log/${path} answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

interface ReadOptions {
  account: string;
  /** Number of checked entries to leave out. */
  after?: number;
  log?: ReadLog | undefined;
}

/**
 * Reads proof, root, newer entries, keys, checkpoint and records of the log, all of the same moment. A cached
 * checkpoint older than the proof's is kept, since the log extends it.
 * @throws ApiError; Error of `log`, and when keys or the name of the log differ in every read
 */
export async function readParts(
  api: Pick<Api, 'call'>,
  what: ReadOptions,
  signal: AbortSignal,
): Promise<CheckParts | NoParts> {
  for (let reads = 1; ; reads += 1) {
    const { parts, isOfOneLog, isOfLastRoot } = await readOnce(api, what, signal);
    if (isOfOneLog && (isOfLastRoot || reads === READS_MAX)) return parts;
    if (reads === READS_MAX) throw new Error('the log was changed at every read');
  }
}

async function readOnce(
  api: Pick<Api, 'call'>,
  { account, after = 0, log = readLog }: ReadOptions,
  signal: AbortSignal,
): Promise<{ parts: CheckParts | NoParts; isOfOneLog: boolean; isOfLastRoot: boolean }> {
  const query = after === 0 ? {} : { after: String(after) };
  const before = await api.call(logEndpoints.keys, { signal });
  const proof =
    before.keys.length === 0
      ? null
      : await orNoRoot(api.call(logEndpoints.proof, { params: { id: account }, query, signal }));
  if (proof === null) {
    const { keys, begun } = await api.call(logEndpoints.keys, { signal });
    const isOfOneLog = keys.length === before.keys.length && begun === before.begun;
    return { parts: { isEmpty: keys.length === 0, begun }, isOfOneLog, isOfLastRoot: true };
  }
  const root = await api.call(logEndpoints.root, { params: { day: proof.leaf.day }, signal });
  const { rules, leaf } = proof;
  const shownRules = rules === undefined ? null : rulesText(await rulesQuery({ api }).queryFn({ signal }), leaf.day);
  const later = await entriesAfter(api, account, Number(proof.leaf.n), signal);
  const checkpoint = new TextDecoder().decode(await log('checkpoint', signal));
  const [served, proved] = [checkpoint, readTlogProof(proof.tlog)?.checkpoint ?? ''].map(checkpointOf);
  const [size, provedSize] = [served?.size ?? 0, proved?.size ?? 0];
  const records = await readRecords(Math.max(size, provedSize), (path) => log(path, signal));
  const { keys, begun } = await api.call(logEndpoints.keys, { signal });
  const isOfOneName = !served || !proved || served.origin === proved.origin;
  const isOfOneLog = isOfOneName && keys.length === before.keys.length && begun === before.begun;
  const parts = { proof, root, later, keys, begun, checkpoint, records, shownRules };
  return { parts, isOfOneLog, isOfLastRoot: size <= provedSize };
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

/** Converts a listed entry to the form in proofs. */
function chainEntryOf(entry: ResponseOf<typeof miningEndpoints.ledger>['entries'][number]): ChainEntry {
  const { id: key, n, seq, source, reason, facts, hash } = entry;
  const [amount, balance] = [entry.amount, entry.balance].map((cord) => String(numberToMicro(cord))) as [
    string,
    string,
  ];
  return { n, seq, key, source, amount, balance, at: String(Date.parse(entry.at)), reason, facts, hash };
}
