import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { Api } from '@cord/sdk';
import { Connection } from '@solana/web3.js';
import type { ChainId } from '../failures';

/** An error response of the network itself. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    message: string,
    /** The code of JSON-RPC. */
    readonly code: unknown,
  ) {
    super(message);
  }
}

/**
 * One JSON-RPC call through the server, whose key the page never sees.
 * @throws ApiError without a response, RpcError if the network refuses
 */
export async function rpc<T>(api: Api, method: string, params: unknown[] = []): Promise<T> {
  const answer = (await api.call(rewardEndpoints.rpc, {
    body: { jsonrpc: '2.0', id: crypto.randomUUID(), method, params },
  })) as { result?: T; error?: { code?: unknown; message?: unknown } };
  if (answer.error !== undefined) throw new RpcError(String(answer.error.message ?? method), answer.error.code);
  return answer.result as T;
}

/** URL marks from which the adapters derive the network, because every network has the same address here. */
const MARKS: Readonly<Record<ChainId, string>> = {
  'solana:mainnet': '#https://api.mainnet-beta.solana.com',
  'solana:devnet': '#devnet',
  'solana:testnet': '#testnet',
  'solana:localnet': '#localhost',
};

/** web3.js over POST /api/rpc. There are no subscriptions, so its WebSocket is never opened. */
export function connectionBy(api: Api, chain: ChainId): Connection {
  return new Connection(`${location.origin}/api/rpc${MARKS[chain]}`, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: async (_address: unknown, init?: RequestInit) => {
      const body = JSON.parse(String(init?.body)) as { jsonrpc: '2.0'; id: string; method: string; params?: unknown[] };
      return Response.json(await api.call(rewardEndpoints.rpc, { body }));
    },
  });
}

const GENESIS: Readonly<Record<string, ChainId>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKU3V3TkfWHHz': 'solana:mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'solana:devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'solana:testnet',
};

/** The network behind the server, by its genesis block; an unknown one is a local network. */
export async function chainOf(api: Api): Promise<ChainId> {
  return GENESIS[await rpc<string>(api, 'getGenesisHash')] ?? 'solana:localnet';
}
