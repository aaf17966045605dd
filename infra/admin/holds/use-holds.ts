import * as at from '@cord/contracts/addresses/referrals';
import type { Hold } from '@cord/contracts/http/referrals';
import { keepPreviousData, useQuery, useSdk, useWrite } from '@cord/sdk';
import { lookEvery } from '../room/look-every';
import { OPERATORS } from '../room/query-key';

export const STATES = ['held', 'released', 'refused'] as const satisfies readonly Hold['state'][];

const LIST = [OPERATORS, 'holds'] as const;
const LIST_MS = 15_000;
const LISTED = 25;

/** A page of the list, as the server orders it. */
export function useHolds(state: Hold['state'], cursor: string | null) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [...LIST, state, cursor],
    queryFn: ({ signal }) =>
      api.call(at.holds, { query: { state, limit: String(LISTED), ...(cursor === null ? {} : { cursor }) }, signal }),
    placeholderData: keepPreviousData,
    ...lookEvery(LIST_MS),
  });
}

export interface Decision {
  friendId: string;
  decision: 'release' | 'refuse' | 'hold';
  reason: string;
}

/** Decides about what is held of a friend. */
export function useDecide(onSuccess: (hold: Hold) => void) {
  return useWrite<Decision, Hold>(
    (api, { friendId, decision, reason }) =>
      api.call(at.decideHold, { params: { friendId }, body: { decision, reason } }),
    {
      key: [OPERATORS, 'decide-hold'],
      refresh: [LIST],
      onDone: onSuccess,
    },
  );
}
