import { refreshUser, type Sdk } from '@cord/sdk';
import type { Front } from './front';
import { isInDoubt, isUnderway, leadingOrder, ORDERS, type Order, ordersKey } from './orders';

/** Ends that gave no badge; the order shows why. */
const FAILED: ReadonlySet<Order['status']> = new Set(['expired', 'refund']);

/**
 * Follows the order of whoever is signed in, once a page however many parts show it: the button gets what became of an order that
 * was open here, and the badge is there as soon as the server has proven the payment, and not before.
 */
export function watchOrder(sdk: Sdk, front: Front): void {
  let before: Order | null = null;
  let proven: string | null = null;
  const look = () => {
    const { user } = sdk.session.state.get();
    const orders = sdk.queries.getQueryData<Order[]>(ordersKey(user?.id)) ?? [];
    const order = leadingOrder(orders, sdk.clock.now());
    const was = before;
    before = order;
    if (was !== null && order !== null) turned(front, was, order);
    if (user === null || order?.status !== 'confirmed' || user.hasbadgeofhonor) return;
    sdk.session.merge({ id: user.id, hasbadgeofhonor: true });
    if (proven === order.id) return;
    proven = order.id;
    void refreshUser(sdk);
  };
  sdk.queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === ORDERS) look();
  });
  sdk.session.state.listen(look);
}

function turned(front: Front, was: Order, order: Order): void {
  if (was.id !== order.id || was.status === order.status) return;
  const { view, send } = front.purchase;
  const { state } = view.get();
  if (order.status === 'confirmed' && state !== 'success') send({ kind: 'proven' });
  // Back to pending from under way: the payment never reached the network, or is given up in doubt.
  const isLost = isUnderway(was) && order.status === 'pending' && !isInDoubt(order);
  const failed = FAILED.has(order.status) || isLost;
  if (failed && state !== 'error') send({ kind: 'failed', failure: null });
}
