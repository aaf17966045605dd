import { rewardEndpoints } from '@cord/contracts/http/rewards';
import type { Http } from '@cord/kit/http';
import { passOn } from '../rpc-proxy.js';

/** What a wallet on the page needs: settings, and the way to the network without its address. */
export function walletRoutes(
  http: Http,
  { rpcUrl, orders, reflector }: { rpcUrl: string | undefined; orders: boolean; reflector: string | undefined },
): void {
  http.route(rewardEndpoints.walletSettings, async () => ({ orders, reflector: reflector ?? null }));

  http.route(rewardEndpoints.rpc, async ({ body }) => passOn(rpcUrl, body));
}
