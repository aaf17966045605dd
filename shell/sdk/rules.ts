import * as rulesEndpoints from '@cord/contracts/addresses/rules';
import type { PublicRules } from '@cord/contracts/http/rules';
import { bookAt, FIRST_BOOK, FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Sdk, useSdk } from './sdk';

/** Query key of the rules. */
export const RULES_KEY = ['rules'] as const;

const UNKNOWN: PublicRules = { books: [], epochs: [] };

/** The query of GET rules. */
export const rulesQuery = ({ api }: { api: Pick<Sdk['api'], 'call'> }) => ({
  queryKey: RULES_KEY,
  meta: { live: {} },
  queryFn: ({ signal }: { signal: AbortSignal }) => api.call(rulesEndpoints.rules, { signal }),
  staleTime: QUERY_STALE_MS,
});

/** Returns rule books and epochs, past and future. */
export function useRules(): UseQueryResult<PublicRules> {
  return useQuery(rulesQuery(useSdk()));
}

/** Returns the rule books, including future ones; only the first while they are unknown. */
export function useRuleBooks(): readonly RuleBook[] {
  return useRules().data?.books ?? FIRST_BOOKS;
}

/** Returns the rule book in force; the first while it is unknown. The constant is kept if it is the response, too, which avoids a render. */
export function useRuleBook(): RuleBook {
  const sdk = useSdk();
  const { data = FIRST_BOOK } = useQuery({
    ...rulesQuery(sdk),
    placeholderData: UNKNOWN,
    select: ({ books }) => {
      const book: RuleBook = bookAt(books, sdk.clock.now());
      return book.version === FIRST_BOOK.version ? FIRST_BOOK : book;
    },
  });
  return data;
}
