import { PURCHASE_RESET_MS } from '@cord/contracts/rules/timings';
import { useEffect, useRef } from 'react';
import type { Front } from './front';
import { isUnderway, type Order } from './orders';
import { useFront } from './use-front';

const resets = new WeakMap<Front, ReturnType<typeof setTimeout>>();

/** Success or error on the button, and back to idle 5 s later (spec part 4). */
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

/** Tells the button what became of an order that was open on this page. */
export function useOutcome(order: Order | null | undefined): void {
  const front = useFront();
  const before = useRef<Order | null | undefined>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = order;
    if (!order || was?.id !== order.id || was.status === order.status) return;
    const { state } = front.purchase.get();
    if (order.status === 'confirmed' && state !== 'success') settle(front, 'success');
    // Back to pending from under way: the payment never reached the network.
    const failed = FAILED.has(order.status) || (isUnderway(was) && order.status === 'pending');
    if (failed && state !== 'error') settle(front, 'error');
  }, [order, front]);
}
