import * as rulesEndpoints from '@cord/contracts/addresses/rules';
import type { PublicRules } from '@cord/contracts/http/rules';
import { bookAt, FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSdk } from './sdk';

/** Key of the rules in the query cache. */
export const RULES_KEY = ['rules'] as const;

/** Rule books and epochs, of the past and to come. */
export function useRules(): UseQueryResult<PublicRules> {
  const { api } = useSdk();
  return useQuery({
    queryKey: RULES_KEY,
    meta: { live: {} },
    queryFn: ({ signal }) => api.call(rulesEndpoints.rules, { signal }),
    staleTime: QUERY_STALE_MS,
  });
}

/** The rule books, those that are to come among them; the first one while they are not known. */
export function useRuleBooks(): readonly RuleBook[] {
  return useRules().data?.books ?? FIRST_BOOKS;
}

/** The rule book in force. */
export function useRuleBook(): RuleBook {
  const { clock } = useSdk();
  return bookAt(useRuleBooks(), clock.now());
}
