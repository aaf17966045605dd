import type { ResponseOf } from '@cord/contracts/endpoint';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import type { Http } from '@cord/kit/http';
import type { RpcProxy } from '../rpc-proxy.js';

/** Registers the routes for a page's wallet: its settings, and the RPC proxy, which hides the network's address. */
export function walletRoutes(
  http: Http,
  proxy: RpcProxy,
  settings: ResponseOf<typeof rewardEndpoints.walletSettings>,
): void {
  http.route(rewardEndpoints.walletSettings, async () => settings);

  http.route(rewardEndpoints.rpc, async ({ user, body }) => proxy.forward(user.id, body));
}
