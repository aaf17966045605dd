import * as at from '@cord/contracts/addresses/referrals';
import type { Hold } from '@cord/contracts/http/referrals';
import { useActWrite } from '../room/act-write';
import type { Decision } from '../room/decisions';
import { lookEvery, OPERATORS, pageFrom, useRead } from '../room/reads';

export const STATES = ['held', 'released', 'refused'] as const satisfies readonly Hold['state'][];

const LIST = [OPERATORS, 'holds'] as const;
const LIST_MS = 15_000;

/** A page of the list, as the server orders it. */
export function useHolds(state: Hold['state'], cursor: string | null) {
  return useRead(at.holds, {
    key: [...LIST, state, cursor],
    query: { state, ...pageFrom(cursor) },
    keepPrevious: true,
    ...lookEvery(LIST_MS),
  });
}

export type HoldDecision = 'release' | 'refuse' | 'hold';

/** Decides about what is held of a friend. */
export function useDecide(onDone: (hold: Hold, decided: Decision<HoldDecision>) => void) {
  return useActWrite<Decision<HoldDecision>, Hold>(
    (api, { id, decision, reason }) =>
      api.call(at.decideHold, { params: { friendId: id }, body: { decision, reason } }),
    { key: [OPERATORS, 'decide-hold'], refresh: [LIST], onDone },
  );
}
