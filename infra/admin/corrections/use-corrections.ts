import * as at from '@cord/contracts/addresses/corrections';
import type { Correction } from '@cord/contracts/http/corrections';
import { useActWrite } from '../room/act-write';
import type { Decision } from '../room/decisions';
import { listPage, OPERATORS, useRead } from '../room/reads';

export const STATES = ['open', 'confirmed', 'withdrawn'] as const satisfies readonly Correction['state'][];

export const CORRECTIONS = [OPERATORS, 'corrections'] as const;

/** Reads a page of the list, newest proposal first. */
export function useCorrections(state: Correction['state'], cursor: string | null) {
  return useRead(at.list, listPage(CORRECTIONS, cursor, { state }));
}

export type CorrectionDecision = 'confirm' | 'withdraw';

/** Confirms another operator's proposal, or withdraws a proposal. */
export function useDecide(onDone: (correction: Correction, decided: Decision<CorrectionDecision>) => void) {
  return useActWrite<Decision<CorrectionDecision>, Correction>(
    (api, { id, decision, reason }) => api.call(at.decide, { params: { id }, body: { decision, reason } }),
    {
      key: [OPERATORS, 'decide-correction'],
      refresh: [CORRECTIONS, [OPERATORS, 'ledger']],
      onDone,
    },
  );
}
