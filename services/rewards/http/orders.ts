import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { TEXTS } from '@cord/contracts/texts';
import type { Http } from '@cord/kit/http';
import { refused } from '@cord/kit/problem';
import type { Orders, StoredOrder } from '../orders.js';
import { passOn } from '../rpc-proxy.js';

/** Badge orders, handing in a payment, and the way to the wallet network. */
export function orderRoutes(http: Http, orders: Orders, rpcUrl: string | undefined): void {
  http.route(rewardEndpoints.createOrder, async ({ user, body }) =>
    present(await orders.create(user.id, body.walletAddress ?? null)),
  );

  http.route(rewardEndpoints.orders, async ({ user }) => (await orders.list(user.id)).map(present));

  http.route(rewardEndpoints.order, async ({ user, params }) => present(await orders.get(user.id, params.id)));

  http.route(rewardEndpoints.purchase, async ({ user, body }) => {
    await orders.get(user.id, body.orderId);
    // Nothing is believed that is not proven on chain (decisions, Badge): without a proof the badge is not given.
    throw refused('payment-not-verifiable', TEXTS.purchaseRecordFailed);
  });

  // Only what is proven on chain stands here.
  http.route(rewardEndpoints.purchases, async () => []);

  http.route(rewardEndpoints.rpc, async ({ body }) => passOn(rpcUrl, body));
}

function present(order: StoredOrder) {
  return {
    id: order._id,
    reference: order.reference,
    lamports: order.lamports,
    treasury: order.treasury,
    walletAddress: order.walletAddress,
    usd: order.usd,
    usdAt: new Date(order.usdAtMs).toISOString(),
    estimate: order.estimate,
    createdAt: new Date(order.createdAtMs).toISOString(),
    expiresAt: new Date(order.expiresAtMs).toISOString(),
    status: order.status,
    transactionHash: order.transactionHash,
    reason: order.reason,
  };
}
