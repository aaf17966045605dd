import type { Clock } from '@cord/kit/clock';
import { BodyTooLarge, boundedText } from '@cord/kit/http/bounded-body';
import { type Problem, unavailable } from '@cord/kit/problem';
import { Connection, type FetchFn, PublicKey } from '@solana/web3.js';
import type { ChainTransaction } from '../domain/payment.js';
import { readTransaction } from './read-transaction.js';
import { type Timed, untimed } from './timed.js';

const ANSWER_MS_MAX = 5_000;
/** Maximum size of a response: a page of 1,000 signatures with memos has about 1 MB. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/**
 * Maximum age of a node's newest final block, ms. A payment may land up to 90 s after it was signed, and counts as
 * lost 150 s after it was handed in.
 */
const BEHIND_MS_MAX = 60_000;

/** The network did not respond, or not completely: the state of the payment is unknown. */
export class NetworkAway extends Error {
  constructor(cause: unknown) {
    super('the wallet network did not respond', { cause });
    this.name = 'NetworkAway';
  }
}

/** The response to callers while the network is away. */
export const networkUnavailable = (): Problem =>
  unavailable('wallet-network-away', 'The wallet network is not available right now.', 60);

/** The response about this one payment cannot be read; other payments are not affected. */
export class Unreadable extends Error {
  constructor(cause: unknown) {
    super('a response of the wallet network cannot be read', { cause });
    this.name = 'Unreadable';
  }
}

/** The state of a signature on the network. Only a final transaction can be judged. */
export type Sighting = { kind: 'unseen' } | { kind: 'seen' } | { kind: 'final'; transaction: ChainTransaction };

/** Queries made by rewards itself; wallet pages use the RPC proxy. */
export type WalletNetwork = ReturnType<typeof createWalletNetwork>;

export function createWalletNetwork(rpcUrl: string, clock: Pick<Clock, 'now'>, timing: Timed = untimed) {
  const timedFetch = (address: string, init: RequestInit) => timing(() => boundedFetch(address, init));
  const connection = new Connection(rpcUrl, {
    commitment: 'finalized',
    disableRetryOnRateLimit: true,
    fetch: timedFetch as unknown as FetchFn,
  });
  const answered = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (err) {
      throw err instanceof NetworkAway ? err : new Unreadable(err);
    }
  };
  /** Time of the newest block known to be final, ms since epoch. */
  let finalMs = Number.NEGATIVE_INFINITY;
  const isBehind = () => clock.now() - finalMs > BEHIND_MS_MAX;
  /**
   * Refuses a node that is behind, e.g. after a restart or while the whole chain stands still: a transaction it has not seen may be on the chain all the same.
   * @throws NetworkAway, Error
   */
  const requireCurrent = async (): Promise<void> => {
    if (!isBehind()) return;
    finalMs = ((await connection.getBlockTime(await connection.getSlot())) ?? 0) * 1_000;
    if (isBehind()) throw new Error(`the newest final block is from ${new Date(finalMs).toISOString()}`);
  };
  return {
    /** @throws NetworkAway; Unreadable, also when the node is behind and has not seen the transaction */
    sighting: (signature: string): Promise<Sighting> =>
      answered(async () => {
        const options = { commitment: 'finalized' as const, maxSupportedTransactionVersion: 0 };
        const response = await connection.getTransaction(signature, options);
        if (response) return { kind: 'final', transaction: readTransaction(signature, response) };
        const { value } = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true });
        if (value[0]) return { kind: 'seen' };
        await requireCurrent();
        return { kind: 'unseen' };
      }),
    /**
     * Returns signatures of confirmed transactions that name a key, newest first, starting after `before`; null: from the newest.
     * @param page limit 1 to 1,000
     * @throws NetworkAway; Unreadable, also when the node is behind and has none
     */
    signaturesOf: (reference: string, { before, limit }: { before: string | null; limit: number }) =>
      answered(async () => {
        const found = await connection.getSignaturesForAddress(
          new PublicKey(reference),
          { limit, ...(before === null ? {} : { before }) },
          'confirmed',
        );
        if (found.length === 0) await requireCurrent();
        return found.map(({ signature }) => signature);
      }),
  };
}

async function boundedFetch(address: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    if (!response.ok) throw new Error(`the wallet network responded with ${response.status}`);
    // The timeout also covers reading the body.
    const text = await boundedText(response, ANSWER_BYTES_MAX);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  } catch (err) {
    throw err instanceof BodyTooLarge ? err : new NetworkAway(err);
  }
}
