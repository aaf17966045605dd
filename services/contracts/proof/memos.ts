import { type Checkpoint, readCheckpoint } from './note.js';

/* Checkpoint memos on Solana: each is the text of one memo, which anybody can read at a node of their choice. */

/** Calls a JSON-RPC method of a Solana node. @returns its result @throws Error when the node does not respond */
export type SolanaRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The memo program (SPL memo, version 2). */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

/** A memo as a Solana node returns it. */
export interface Memo {
  /** The account that paid for and signed the transaction. */
  signer: string;
  program: string;
  text: string;
  finalized: boolean;
}

/** A memo with its transaction signature and slot. */
export interface PlacedMemo extends Memo {
  signature: string;
  slot: number;
}

/** The signer and the program of a log's memos. */
type Anchor = Pick<Memo, 'signer' | 'program'>;

/**
 * Checks that a checkpoint is on Solana.
 * @param text the three lines of the checkpoint
 * @param memos all memos of the signer that name this log
 * @returns null when it is there; otherwise the fault
 */
export function memoFault(text: string, memos: readonly Memo[], anchor: Anchor): string | null {
  const size = readCheckpoint(text)?.size;
  const own = ownOf(memos, anchor);
  if (own.some((memo) => memo.text !== text && readCheckpoint(memo.text)?.size === size))
    return `there are two memos of the size ${size}`;
  const there = own.find((memo) => memo.text === text);
  if (!there) return 'no memo of the known signer has its text';
  return there.finalized ? null : 'its memo is not final';
}

/**
 * Returns the first later checkpoint on Solana when a size has no memo: sizes are skipped while Solana is away.
 * @returns null when the size has a memo, or no later one is final
 */
export function laterMemo(size: number, memos: readonly Memo[], anchor: Anchor): Checkpoint | null {
  const own = ownOf(memos, anchor).map(({ text, finalized }) => ({ finalized, checkpoint: readCheckpoint(text) }));
  if (own.some(({ checkpoint }) => checkpoint?.size === size)) return null;
  const later = own.flatMap(({ checkpoint, finalized }) =>
    checkpoint && finalized && checkpoint.size > size ? [checkpoint] : [],
  );
  return later.sort((a, b) => a.size - b.size)[0] ?? null;
}

/** Whether the signer may still write the memo of a checkpoint: none has its size, or its own is not final. */
export function isMemoPending(text: string, memos: readonly Memo[], anchor: Anchor): boolean {
  const size = readCheckpoint(text)?.size;
  return ownOf(memos, anchor).every((memo) =>
    memo.text === text ? !memo.finalized : readCheckpoint(memo.text)?.size !== size,
  );
}

const ownOf = (memos: readonly Memo[], anchor: Anchor) =>
  memos.filter(({ signer, program }) => signer === anchor.signer && program === anchor.program);

const ANSWER_MS_MAX = 5_000;

/** @param url of a Solana node */
export function solanaRpc(url: string): SolanaRpc {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (!response.ok) throw new Error(`${method} of Solana answered ${response.status}`);
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
    if (error) throw new Error(`${method} of Solana failed: ${error.message}`);
    return result;
  };
}

/** Maximum number of signatures in one response of a node. */
const PAGE = 1_000;

/**
 * Returns an account's memos that name a log, newest first.
 * @param origin name of the log
 * @param until signature of a transaction: it and earlier ones are omitted
 * @throws Error when the node does not respond, or responds with something malformed
 */
export async function memosOf(
  rpc: SolanaRpc,
  { signer, origin, until }: { signer: string; origin: string; until?: string | undefined },
): Promise<PlacedMemo[]> {
  const found: PlacedMemo[] = [];
  for (let before: string | undefined; ; ) {
    const page = { limit: PAGE, commitment: 'confirmed', ...(before && { before }), ...(until && { until }) };
    const lines = linesOf(await rpc('getSignaturesForAddress', [signer, page]));
    for (const { signature, confirmationStatus } of lines.filter(({ err }) => err === null)) {
      const how = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const transaction = await rpc('getTransaction', [signature, how]);
      for (const memo of memosIn(transaction))
        if (memo.signer === signer && readCheckpoint(memo.text)?.origin === origin)
          found.push({ ...memo, signature, finalized: confirmationStatus === 'finalized' });
    }
    before = lines.at(-1)?.signature;
    if (lines.length < PAGE) return found;
  }
}

/** The oldest block that a Solana node still has. */
export interface KeptFrom {
  slot: number;
  /** ms since epoch */
  atMs: number;
}

/** @returns slot 0 when the node has everything or does not state it; a memo it lacks then counts as missing */
export async function keptFrom(rpc: SolanaRpc): Promise<KeptFrom> {
  try {
    const slot = Number(await rpc('getFirstAvailableBlock', []));
    if (slot > 0) return { slot, atMs: Number(await rpc('getBlockTime', [slot])) * 1_000 };
  } catch {
    // When the node is away, the next call fails.
  }
  return { slot: 0, atMs: 0 };
}

interface Line {
  signature: string;
  err: unknown;
  confirmationStatus?: string;
}

function linesOf(answer: unknown): Line[] {
  if (!Array.isArray(answer)) throw new Error('the node of Solana lists no signatures');
  return answer.map((line: Partial<Line> | null) => {
    if (typeof line?.signature !== 'string') throw new Error('the node of Solana lists no signatures');
    return { ...line, signature: line.signature, err: line.err ?? null };
  });
}

/** Returns the memos in a getTransaction result in JSON; none when it is unknown yet or malformed. */
function memosIn(answer: unknown): { signer: string; program: string; text: string; slot: number }[] {
  const { slot, transaction, meta } = (answer ?? {}) as {
    slot?: unknown;
    meta?: { err?: unknown };
    transaction?: { message?: { accountKeys?: unknown; instructions?: unknown } };
  };
  const { accountKeys, instructions } = transaction?.message ?? {};
  const isRead = typeof slot === 'number' && Array.isArray(accountKeys) && Array.isArray(instructions);
  if (!isRead || meta?.err !== null) return [];
  return (instructions as { programIdIndex?: number; data?: string }[]).flatMap(({ programIdIndex = -1, data }) => {
    const program: unknown = accountKeys[programIdIndex];
    const bytes = program === MEMO_PROGRAM && typeof data === 'string' ? fromBase58(data) : null;
    return bytes === null
      ? []
      : [{ signer: String(accountKeys[0]), program: MEMO_PROGRAM, text: new TextDecoder().decode(bytes), slot }];
  });
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** @returns null for invalid base58 */
function fromBase58(text: string): Uint8Array | null {
  const bytes: number[] = [];
  for (const letter of text) {
    let carry = BASE58.indexOf(letter);
    if (carry === -1) return null;
    for (let at = 0; at < bytes.length; at += 1) {
      carry += (bytes[at] ?? 0) * 58;
      bytes[at] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 255);
  }
  // Each leading zero byte is a 1.
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...new Array(zeros).fill(0), ...bytes.reverse()]);
}
