import { PAYMENT_REFUSALS, rewardEndpoints } from '@cord/contracts/http/rewards';
import type { Clock } from '@cord/kit/clock';
import type { Http } from '@cord/kit/http';
import { conflict, refused } from '@cord/kit/problem';
import type { Switches } from '@cord/kit/switches';
import type { BadgeDesk } from '../badge/open.js';
import type { Outcome } from '../badge/payments.js';
import { isSignature } from '../chain/signature.js';
import { networkUnavailable } from '../chain/wallet-network.js';
import { refusalText } from '../domain/reasons.js';
import { presentOrder, presentPurchase } from './present.js';

/** Registers the routes of badge orders and payments. */
export function orderRoutes(
  http: Http,
  { creating, orders, refunds, proof }: BadgeDesk,
  clock: Clock,
  switches: Pick<Switches, 'requireOn'>,
): void {
  const shown = async (userId: string, id: string) =>
    presentOrder(await orders.own(userId, id), await refunds.ofUser(userId), clock.now());

  http.route(rewardEndpoints.createOrder, async ({ user, body, now }) => {
    // The switch blocks new orders only: payments of existing orders are still decided.
    await switches.requireOn('orders');
    const order = await creating.create(user.id, body.walletAddress ?? null);
    return presentOrder(order, await refunds.ofUser(user.id), now);
  });

  http.route(rewardEndpoints.orders, async ({ user, now }) => {
    const [own, back] = await Promise.all([orders.ofUser(user.id), refunds.ofUser(user.id)]);
    return own.map((order) => presentOrder(order, back, now));
  });

  http.route(rewardEndpoints.order, async ({ user, params }) => shown(user.id, params.id));

  http.route(rewardEndpoints.purchase, async (call) => {
    const { user, body } = call;
    const order = await orders.own(user.id, body.orderId);
    if (!isSignature(body.transactionHash)) throw refused('not-a-signature', refusalText('not-a-signature'));
    if (!proof) throw networkUnavailable();
    const outcome = await proof.payments.submit(order, body.transactionHash);
    if (isRefusal(outcome)) throw refused(outcome, refusalText(outcome));
    const now = await shown(user.id, order._id);
    if (now.status !== 'confirmed') call.accepted();
    else if (now.transactionHash !== body.transactionHash) throw conflict('paid-twice', refusalText('paid-twice'));
    return now;
  });

  // Lists only purchases proven on chain.
  http.route(rewardEndpoints.purchases, async ({ params }) => (await orders.proven(params.id)).map(presentPurchase));
}

function isRefusal(outcome: Outcome): outcome is (typeof PAYMENT_REFUSALS)[number] {
  return (PAYMENT_REFUSALS as readonly string[]).includes(outcome);
}
