import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { BadgeOrder, BadgeRefund } from '@cord/contracts/http/rewards';
import { LIVE_SOON_MS, refreshUser, type Sdk, useQuery, useSdk, useServerNow, useStore, useUserId } from '@cord/sdk';
import type { Front } from './front';
import { knownHere, rememberedPayment } from './hand-in';

export type Order = BadgeOrder;

/** Polling interval of an order in progress, ms; there is no WebSocket to the chain. */
const CHECK_MS = 3_000;
/** The same while the live stream is open, ms: a lost message must not leave a buyer waiting. */
const CHECK_LIVE_MS = 30_000;

export const ORDERS = 'badge-orders';
export const ordersKey = (userId: string | undefined) => [ORDERS, userId] as const;

/** Whether the payment has left the wallet and is not known to have arrived. */
export function isUnderway({ status }: Order): boolean {
  return status === 'sent' || status === 'unknown';
}

/** Whether a payment was sent and its outcome is unknown; if it is given up, the order may be paid again all the same. */
export function isInDoubt({ status, why }: Pick<Order, 'status' | 'why'>): boolean {
  return status === 'unknown' || (status === 'pending' && why === 'in-doubt');
}

/**
 * The order that the page shows, with this browser's knowledge: an order in progress first, and among these the one whose payment was signed
 * here; then a proven one, else the newest.
 */
export function leadingOrder(orders: readonly Order[], nowMs: number): Order | null {
  const known = orders.map((order) => knownHere(order, nowMs));
  const underway = known.filter(isUnderway);
  const signedHere = rememberedPayment()?.orderId;
  return (
    underway.find(({ id }) => id === signedHere) ??
    underway[0] ??
    known.find(({ status }) => status === 'confirmed') ??
    known[0] ??
    null
  );
}

/**
 * The leading order; null without one, undefined while loading. It is polled while it is in progress, or while
 * `watching` for a payment that this page may not know.
 */
export function useLeadingOrder({ watching }: { watching: boolean }): Order | null | undefined {
  const { clock } = useSdk();
  const orders = useOrders(watching);
  return orders && leadingOrder(orders, clock.now());
}

/** The order for which a dialog was opened, even if another leads by now; polled as above. */
export function useOrder(id: string | null, { watching }: { watching: boolean }): Order | null {
  return useOrders(watching)?.find((order) => order.id === id) ?? null;
}

/** Refunds to the user, due and paid, newest first. */
export function useRefunds(): BadgeRefund[] {
  return useOrders(false)?.flatMap(({ refunds }) => refunds) ?? [];
}

/** All orders with this browser's knowledge. */
function useOrders(watching: boolean): Order[] | undefined {
  const { api, clock, live } = useSdk();
  const userId = useUserId() ?? undefined;
  const everyMs = useStore(live.open) ? CHECK_LIVE_MS : CHECK_MS;
  const asKnown = (order: Order) => knownHere(order, clock.now());
  const { data } = useQuery({
    queryKey: ordersKey(userId),
    meta: { live: { orders: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(rewardEndpoints.orders, { signal }),
    enabled: userId !== undefined,
    refetchInterval: ({ state }) => (watching || state.data?.map(asKnown).some(isUnderway) ? everyMs : false),
  });
  const known = data?.map(asKnown);
  // An order with an unknown signature is given up by time only.
  useServerNow(known?.some(({ status, transactionHash }) => status === 'unknown' && transactionHash === null) ?? false);
  return known;
}

/** The id of the signed-in user. */
export const userIdOf = ({ session }: Pick<Sdk, 'session'>) => session.state.get().user?.id;

/**
 * Puts an order from a response into the list of the user who requested it, while that user is signed in. A read of the list
 * that is in flight is older, and dropped.
 */
export function takeOrder(sdk: Sdk, userId: string | undefined, order: Order): void {
  if (userIdOf(sdk) !== userId) return;
  const orders = sdk.queries.getQueryData<Order[]>(ordersKey(userId)) ?? [];
  sdk.cache.setData(ordersKey(userId), [order, ...orders.filter(({ id }) => id !== order.id)]);
}

/** Refetches the orders, and returns the leading one. */
export async function checkOrder(sdk: Sdk): Promise<Order | null> {
  const orders = await sdk.queries.fetchQuery({
    queryKey: ordersKey(userIdOf(sdk)),
    queryFn: () => sdk.api.call(rewardEndpoints.orders),
    staleTime: 0,
    retry: false,
  });
  return leadingOrder(orders, sdk.clock.now());
}

/** Final states without a badge; the order shows the reason. */
const FAILED: ReadonlySet<Order['status']> = new Set(['expired', 'refund']);

/**
 * Follows the order of the signed-in user, once per page: the button shows the outcome of an order that
 * was open here, and the badge appears once the server has proven the payment, not before.
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
  // From in progress back to pending: the payment never reached the network, or is given up in doubt.
  const isLost = isUnderway(was) && order.status === 'pending' && !isInDoubt(order);
  const failed = FAILED.has(order.status) || isLost;
  if (failed && state !== 'error') send({ kind: 'failed', failure: null });
}
