import { rewardEndpoints } from '@cord/contracts/http/rewards';
import type { Http } from '@cord/kit/http';
import type { RpcProxy } from '../rpc-proxy.js';

/** What a wallet on the page needs: settings, and the way to the network without its address. */
export function walletRoutes(
  http: Http,
  { proxy, orders, reflector }: { proxy: RpcProxy; orders: boolean; reflector: string | undefined },
): void {
  http.route(rewardEndpoints.walletSettings, async () => ({ orders, reflector: reflector ?? null }));

  http.route(rewardEndpoints.rpc, async ({ body }) => proxy.passOn(body));
}
