import * as at from '@cord/contracts/addresses/rules';
import type { BodyInputOf, ResponseOf } from '@cord/contracts/calls';
import { RULES_KEY } from '@cord/sdk';
import { useActWrite } from '../room/act-write';
import type { Decision } from '../room/decisions';
import { OPERATORS, pollEvery, useRead } from '../room/reads';

const PROPOSALS = [OPERATORS, 'rules'] as const;
const LIST_MS = 15_000;

/** Reads the changes that need a second operator. */
export function useProposals() {
  return useRead(at.proposals, { key: PROPOSALS, ...pollEvery(LIST_MS) });
}

export type NewRules = BodyInputOf<typeof at.propose>;

/** Proposes a change of the rules. */
export function usePropose(handlers: { onDone: () => void; onFailed: (error: Error) => void }) {
  return useActWrite<NewRules, ResponseOf<typeof at.propose>>((api, body) => api.call(at.propose, { body }), {
    key: [OPERATORS, 'propose-rules'],
    refresh: [PROPOSALS],
    ...handlers,
  });
}

export type RulesDecision = 'confirm' | 'withdraw';

/** Confirms another operator's proposal, or withdraws a proposal. */
export function useDecide(onDone: (answer: ResponseOf<typeof at.decide>, decided: Decision<RulesDecision>) => void) {
  return useActWrite<Decision<RulesDecision>, ResponseOf<typeof at.decide>>(
    (api, { id, decision, reason }) => api.call(at.decide, { params: { id }, body: { decision, reason } }),
    { key: [OPERATORS, 'decide-rules'], refresh: [PROPOSALS, RULES_KEY], onDone },
  );
}
