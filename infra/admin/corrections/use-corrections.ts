import * as at from '@cord/contracts/addresses/corrections';
import type { Correction } from '@cord/contracts/http/corrections';
import { keepPreviousData, useQuery, useSdk, useWrite } from '@cord/sdk';
import { lookEvery } from '../room/look-every';
import { OPERATORS } from '../room/query-key';

export const STATES = ['open', 'confirmed', 'withdrawn'] as const satisfies readonly Correction['state'][];

export const CORRECTIONS = [OPERATORS, 'corrections'] as const;
const LIST_MS = 15_000;
const LISTED = 25;

/** A page of the list, the latest proposal first. */
export function useCorrections(state: Correction['state'], cursor: string | null) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [...CORRECTIONS, state, cursor],
    queryFn: ({ signal }) =>
      api.call(at.list, { query: { state, limit: String(LISTED), ...(cursor === null ? {} : { cursor }) }, signal }),
    placeholderData: keepPreviousData,
    ...lookEvery(LIST_MS),
  });
}

export interface Decision {
  id: string;
  decision: 'confirm' | 'withdraw';
  reason: string;
}

/** Confirms what another operator has proposed, or withdraws it. */
export function useDecide(onSuccess: () => void) {
  return useWrite<Decision, Correction>(
    (api, { id, decision, reason }) => api.call(at.decide, { params: { id }, body: { decision, reason } }),
    {
      key: [OPERATORS, 'decide-correction'],
      refresh: [CORRECTIONS, [OPERATORS, 'ledger'], [OPERATORS, 'trail']],
      onDone: onSuccess,
    },
  );
}
