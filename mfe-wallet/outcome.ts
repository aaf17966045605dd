import { PURCHASE_RESET_MS } from '@cord/contracts/rules/timings';
import { refreshUser, type Sdk } from '@cord/sdk';
import type { Front } from './front';
import { knownHere } from './hand-in';
import { isUnderway, leadingOrder, ORDERS, type Order, ordersKey } from './orders';

const resets = new WeakMap<Front, ReturnType<typeof setTimeout>>();

/** Success or error on the button, and back to idle 5 s later. */
export function settle(front: Front, state: 'success' | 'error', failure: unknown = null): void {
  clearTimeout(resets.get(front));
  front.purchase.set({ state, failure });
  resets.set(
    front,
    setTimeout(() => front.purchase.set({ ...front.purchase.get(), state: 'idle' }), PURCHASE_RESET_MS),
  );
}

/**
 * Processing starts, or ends without success or error; the reason of the last failure goes.
 * @param declined why the purchase ended by the user's own choice, shown beside the button, which stays idle
 */
export function turn(front: Front, state: 'processing' | 'idle', declined: unknown = null): void {
  clearTimeout(resets.get(front));
  front.purchase.set({ state, failure: declined });
}

/** Ends that gave no badge; the order says why. */
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
    const leading = leadingOrder(orders);
    const order = leading && knownHere(leading);
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
  const { state } = front.purchase.get();
  if (order.status === 'confirmed' && state !== 'success') settle(front, 'success');
  // Back to pending from under way: the payment never reached the network.
  const failed = FAILED.has(order.status) || (isUnderway(was) && order.status === 'pending');
  if (failed && state !== 'error') settle(front, 'error');
}
