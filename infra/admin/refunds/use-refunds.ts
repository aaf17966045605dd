import * as at from '@cord/contracts/addresses/rewards';
import type { ResponseOf } from '@cord/contracts/calls';
import { useActWrite } from '../room/act-write';
import type { Decision } from '../room/decisions';
import { listPage, OPERATORS, useRead } from '../room/reads';

export const STATES = ['open', 'returned'] as const;
export type Refund = ResponseOf<typeof at.refunds>['refunds'][number];

/** The common start of their query keys. */
export const REFUNDS = [OPERATORS, 'refunds'] as const;

/** Reads a page of the list, longest waiting first. */
export function useRefunds(status: Refund['status'], cursor: string | null) {
  return useRead(at.refunds, listPage(REFUNDS, cursor, { status }));
}

/** Records the transaction that returned a payment. */
export function useNote(onDone: () => void) {
  return useActWrite<Decision<'return'>, Refund>(
    (api, { id, typed }) => api.call(at.returnRefund, { params: { id }, body: { returnTransaction: typed.trim() } }),
    { key: [OPERATORS, 'note-refund'], refresh: [REFUNDS], onDone },
  );
}
