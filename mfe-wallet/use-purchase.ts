import type { ResponseOf } from '@cord/contracts/endpoint';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { PURCHASE_RESET_MS } from '@cord/contracts/rules/timings';
import { messageOf, newIdempotencyKey, useMutation, useQuery, useRefreshUser, useSdk, useSession } from '@cord/sdk';
import type { PurchaseState } from '@cord/ui';
import { useEffect, useState } from 'react';
import { TEXTS } from './texts';

export type Order = ResponseOf<typeof rewardEndpoints.createOrder>;

export interface Purchase {
  state: PurchaseState;
  /** The order that is open; null before and after. */
  order: Order | null;
  /** Why the last try failed. */
  error: string | null;
  begin(): void;
  /** Puts the order away; it stays valid and is taken up again by the next `begin`. */
  leave(): void;
}

const ORDER_CHECK_MS = 3_000;

/** Buying the badge: order first, payment from any wallet, proof by the server (decisions, Security and money). */
export function usePurchase(): Purchase {
  const { api } = useSdk();
  const [orderId, setOrderId] = useState<string | null>(null);
  const [result, setResult] = useState<'success' | 'error' | null>(null);
  const create = useMutation({
    mutationFn: () => api.call(rewardEndpoints.createOrder, { body: {}, idempotencyKey: newIdempotencyKey() }),
    onSuccess: (order) => setOrderId(order.id),
    onError: () => setResult('error'),
  });
  const order = useOrder(orderId) ?? (orderId === null ? null : (create.data ?? null));
  useOutcome(order, (outcome) => {
    setResult(outcome);
    if (outcome === 'success') setOrderId(null);
  });

  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), PURCHASE_RESET_MS);
    return () => clearTimeout(timer);
  }, [result]);

  return {
    state: result ?? (create.isPending || orderId !== null ? 'processing' : 'idle'),
    order: orderId === null ? null : order,
    error: create.error ? messageOf(create.error, TEXTS.purchaseError) : null,
    begin: () => {
      setResult(null);
      create.mutate();
    },
    leave: () => setOrderId(null),
  };
}

/** The order as the server sees it, while it is open on the page. */
function useOrder(orderId: string | null): Order | undefined {
  const { api } = useSdk();
  const { data } = useQuery({
    queryKey: ['badge-order', orderId],
    queryFn: ({ signal }) => api.call(rewardEndpoints.order, { params: { id: orderId ?? '' }, signal }),
    enabled: orderId !== null,
    refetchInterval: ORDER_CHECK_MS,
    staleTime: 0,
  });
  return data;
}

/** Tells once what became of an order: the badge is there as soon as the server has proven the payment. */
function useOutcome(order: Order | null, tell: (outcome: 'success' | 'error') => void): void {
  const { session } = useSdk();
  const { user } = useSession();
  const refreshUser = useRefreshUser();
  const status = order?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each status the order reaches
  useEffect(() => {
    if (status === 'expired' || status === 'refund') tell('error');
    if (status !== 'confirmed' || user === null) return;
    session.merge({ id: user.id, hasbadgeofhonor: true });
    void refreshUser();
    tell('success');
  }, [status]);
}

/** The payment as a link that wallets understand (Solana Pay): amount, treasury, and the order's reference. */
export function paymentLink(order: Order): string {
  const sol = (order.lamports / 1e9).toString();
  const query = new URLSearchParams({ amount: sol, reference: order.reference, label: 'CORD Badge of Honor' });
  return `solana:${order.treasury}?${query}`;
}
