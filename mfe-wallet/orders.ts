import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { BadgeOrder, BadgeRefund } from '@cord/contracts/http/rewards';
import { LIVE_SOON_MS, type Sdk, useQuery, useSdk, useStore, useUserId } from '@cord/sdk';

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

/** The order that the page shows: one on its way before any other, then one that was proven, else the newest. */
export function leadingOrder(orders: readonly Order[]): Order | null {
  return orders.find(isUnderway) ?? orders.find(({ status }) => status === 'confirmed') ?? orders[0] ?? null;
}

/**
 * The user's order as the server sees it; null without one, undefined while that is unknown. It is looked up again while it
 * is on its way, or while `watching` a code that somebody may scan.
 */
export function useOrder({ watching = false } = {}): Order | null | undefined {
  const orders = useOrders(watching);
  return orders && leadingOrder(orders);
}

/** What is to be paid back to the user, and what was, newest first. */
export function useRefunds(): BadgeRefund[] {
  return useOrders(false)?.flatMap(({ refunds }) => refunds) ?? [];
}

function useOrders(watching: boolean): Order[] | undefined {
  const { api, live } = useSdk();
  const userId = useUserId() ?? undefined;
  const everyMs = useStore(live.open) ? CHECK_TOLD_MS : CHECK_MS;
  const { data } = useQuery({
    queryKey: ordersKey(userId),
    meta: { live: { orders: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(rewardEndpoints.orders, { signal }),
    enabled: userId !== undefined,
    refetchInterval: ({ state }) => (watching || state.data?.some(isUnderway) ? everyMs : false),
  });
  return data;
}

/** Puts an order that an answer carried in its place of the list. */
export function takeOrder({ queries, session }: Sdk, order: Order): void {
  queries.setQueryData<Order[]>(ordersKey(session.state.get().user?.id), (orders = []) => [
    order,
    ...orders.filter(({ id }) => id !== order.id),
  ]);
}

/** Requests the orders now, and gives the one that counts. */
export async function checkOrder({ queries, session, api }: Sdk): Promise<Order | null> {
  const orders = await queries.fetchQuery({
    queryKey: ordersKey(session.state.get().user?.id),
    queryFn: () => api.call(rewardEndpoints.orders),
    staleTime: 0,
    retry: false,
  });
  return leadingOrder(orders);
}
