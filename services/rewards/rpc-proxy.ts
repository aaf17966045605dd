import { boundedText } from '@cord/kit/http/bounded-body';
import { refused, unavailable } from '@cord/kit/problem';
import { z } from 'zod';
import { type Timed, untimed } from './chain/timed.js';

/** The allowed methods: those that a wallet page needs. */
export const RPC_METHODS: ReadonlySet<string> = new Set([
  'getLatestBlockhash',
  'isBlockhashValid',
  'getSignatureStatuses',
  'getBalance',
  'getMinimumBalanceForRentExemption',
  'getFeeForMessage',
  'getAccountInfo',
  'getBlockHeight',
  'getGenesisHash',
  'simulateTransaction',
  'sendTransaction',
]);

const ANSWER_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;
/** Maximum number of pending calls of this replica, over all users. */
const WAITING_MAX = 128;
/** Maximum number of pending calls of one user, so that nobody uses up the places of others. */
const WAITING_OF_ONE_MAX = 8;
const RETRY_AFTER_S = 5;

interface RpcRequest {
  jsonrpc: '2.0';
  id: string | number;
  method: string;
  params?: unknown[] | undefined;
}

/** The only fields passed on from a response: others may contain the provider's key. */
const rpcAnswer = z.union([
  z.object({ result: z.unknown().refine((value) => value !== undefined) }),
  z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }) }),
]);

/**
 * Forwards JSON-RPC calls to the wallet network. Its address, which contains a key, never leaves the server. The
 * response carries the caller's own id.
 */
export function createRpcProxy(
  rpcUrl: string | undefined,
  { all, ofOne }: { all: number; ofOne: number } = { all: WAITING_MAX, ofOne: WAITING_OF_ONE_MAX },
  timing: Timed = untimed,
) {
  let waiting = 0;
  /** Number of pending calls by user; users without one have no entry. */
  const waitingOf = new Map<string, number>();
  const take = (userId: string, change: 1 | -1): void => {
    const count = (waitingOf.get(userId) ?? 0) + change;
    waiting += change;
    if (count === 0) waitingOf.delete(userId);
    else waitingOf.set(userId, count);
  };
  return {
    /** @throws Problem 422 for a method that is not allowed, 503 when the network is not reachable or its response is invalid */
    async forward(userId: string, { id, method, params }: RpcRequest): Promise<Record<string, unknown>> {
      if (!RPC_METHODS.has(method))
        throw refused('rpc-method-not-allowed', `${method.slice(0, 64)} is not allowed here`);
      if (!rpcUrl || waiting >= all || (waitingOf.get(userId) ?? 0) >= ofOne) throw away();
      take(userId, 1);
      try {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] });
        return { jsonrpc: '2.0', id, ...(await timing(() => send(rpcUrl, body))) };
      } catch (err) {
        throw away(err);
      } finally {
        take(userId, -1);
      }
    },
  };
}

export type RpcProxy = ReturnType<typeof createRpcProxy>;

async function send(rpcUrl: string, body: string): Promise<z.output<typeof rpcAnswer>> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    redirect: 'error',
  });
  return rpcAnswer.parse(JSON.parse(await boundedText(response, ANSWER_BYTES_MAX)));
}

function away(cause?: unknown) {
  const text = 'The wallet network is not available right now.';
  return unavailable('wallet-network-away', text, RETRY_AFTER_S, cause);
}
