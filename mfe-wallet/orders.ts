import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { BadgeOrder, BadgeRefund } from '@cord/contracts/http/rewards';
import { LIVE_SOON_MS, refreshUser, type Sdk, useQuery, useSdk, useServerNow, useStore, useUserId } from '@cord/sdk';
import type { Front } from './front';
import { knownHere, rememberedPayment } from './hand-in';

export type Order = BadgeOrder;

/** How often an order on its way is looked up; confirmation is requested, never pushed (issue of the wallet: no WebSocket). */
const CHECK_MS = 3_000;
/** The same while the live stream reports it: somebody waits for money, so one lost message must not be all. */
const CHECK_TOLD_MS = 30_000;

export const ORDERS = 'badge-orders';
export const ordersKey = (userId: string | undefined) => [ORDERS, userId] as const;

/** Orders that have left the wallet and are not known to have arrived. */
export function isUnderway({ status }: Order): boolean {
  return status === 'sent' || status === 'unknown';
}

/** Whether a payment was sent and nobody knows what became of it; of one that is given up the order may be paid again all the same. */
export function isInDoubt({ status, why }: Pick<Order, 'status' | 'why'>): boolean {
  return status === 'unknown' || (status === 'pending' && why === 'in-doubt');
}

/**
 * The order that the page shows, as this browser knows it: one on its way before any other, first the one whose payment was signed
 * here; then one that was proven, else the newest.
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
 * The order that counts; null without one, undefined while that is unknown. It is looked up again while it is on its way, or while
 * `watching` for a payment of which this page may not know.
 */
export function useLeadingOrder({ watching }: { watching: boolean }): Order | null | undefined {
  const { clock } = useSdk();
  const orders = useOrders(watching);
  return orders && leadingOrder(orders, clock.now());
}

/** The order that a dialog was opened for, whichever leads by now; looked up again as above. */
export function useOrder(id: string | null, { watching }: { watching: boolean }): Order | null {
  return useOrders(watching)?.find((order) => order.id === id) ?? null;
}

/** What is to be paid back to the user, and what was, newest first. */
export function useRefunds(): BadgeRefund[] {
  return useOrders(false)?.flatMap(({ refunds }) => refunds) ?? [];
}

/** All orders as this browser knows them. */
function useOrders(watching: boolean): Order[] | undefined {
  const { api, clock, live } = useSdk();
  const userId = useUserId() ?? undefined;
  const everyMs = useStore(live.open) ? CHECK_TOLD_MS : CHECK_MS;
  const asKnown = (order: Order) => knownHere(order, clock.now());
  const { data } = useQuery({
    queryKey: ordersKey(userId),
    meta: { live: { orders: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(rewardEndpoints.orders, { signal }),
    enabled: userId !== undefined,
    refetchInterval: ({ state }) => (watching || state.data?.map(asKnown).some(isUnderway) ? everyMs : false),
  });
  const known = data?.map(asKnown);
  // One whose signature nobody knows is given up by time alone.
  useServerNow(known?.some(({ status, transactionHash }) => status === 'unknown' && transactionHash === null) ?? false);
  return known;
}

/** Who is signed in. */
export const userIdOf = ({ session }: Pick<Sdk, 'session'>) => session.state.get().user?.id;

/**
 * Puts an order that an answer carried in its place of the list of who requested it, while that user is signed in. A reading of the list
 * that is still under way is older, and dropped.
 */
export function takeOrder(sdk: Sdk, userId: string | undefined, order: Order): void {
  if (userIdOf(sdk) !== userId) return;
  const orders = sdk.queries.getQueryData<Order[]>(ordersKey(userId)) ?? [];
  sdk.cache.setData(ordersKey(userId), [order, ...orders.filter(({ id }) => id !== order.id)]);
}

/** Requests the orders now, and gives the one that counts. */
export async function checkOrder(sdk: Sdk): Promise<Order | null> {
  const orders = await sdk.queries.fetchQuery({
    queryKey: ordersKey(userIdOf(sdk)),
    queryFn: () => sdk.api.call(rewardEndpoints.orders),
    staleTime: 0,
    retry: false,
  });
  return leadingOrder(orders, sdk.clock.now());
}

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
