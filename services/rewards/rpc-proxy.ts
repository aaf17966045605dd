import { refused, unavailable } from '@cord/kit/problem';

/** Methods that a wallet page needs; nothing else goes through (decisions, RPC). */
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

export interface RpcRequest {
  jsonrpc: '2.0';
  id: string | number;
  method: string;
  params?: unknown[] | undefined;
}

/**
 * Passes a JSON-RPC call on to the wallet network; its address, with the key in it, never leaves the server.
 * @throws Problem 422 for a method that is not on the list, 503 when the network does not answer
 */
export async function passOn(
  rpcUrl: string | undefined,
  { jsonrpc, id, method, params }: RpcRequest,
): Promise<Record<string, unknown>> {
  if (!RPC_METHODS.has(method)) throw refused('rpc-method-not-allowed', `${method.slice(0, 64)} is not allowed here`);
  const away = (cause?: unknown) =>
    unavailable('wallet-network-away', 'The wallet network is not available right now.', 5, cause);
  if (!rpcUrl) throw away();
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc, id, method, params: params ?? [] }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      redirect: 'error',
    });
    return (await response.json()) as Record<string, unknown>;
  } catch (err) {
    throw away(err);
  }
}
