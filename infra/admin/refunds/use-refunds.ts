import * as at from '@cord/contracts/addresses/rewards';
import type { ResponseOf } from '@cord/contracts/calls';
import { useActWrite } from '../room/act-write';
import type { Decision } from '../room/decisions';
import { listPage, OPERATORS, useRead } from '../room/reads';

export const STATES = ['open', 'returned'] as const;
export type Refund = ResponseOf<typeof at.refunds>['refunds'][number];

/** What every read of them begins with. */
export const REFUNDS = [OPERATORS, 'refunds'] as const;

/** A page of the list, who has waited longest first. */
export function useRefunds(status: Refund['status'], cursor: string | null) {
  return useRead(at.refunds, listPage(REFUNDS, cursor, { status }));
}

/** Notes the transaction that paid one back. */
export function useNote(onDone: () => void) {
  return useActWrite<Decision<'return'>, Refund>(
    (api, { id, typed }) => api.call(at.returnRefund, { params: { id }, body: { returnTransaction: typed.trim() } }),
    { key: [OPERATORS, 'note-refund'], refresh: [REFUNDS], onDone },
  );
}
