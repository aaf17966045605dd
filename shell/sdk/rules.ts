import * as rulesEndpoints from '@cord/contracts/addresses/rules';
import type { PublicRules } from '@cord/contracts/http/rules';
import { bookAt, FIRST_BOOK, FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Sdk, useSdk } from './sdk';

/** Key of the rules in the query cache. */
export const RULES_KEY = ['rules'] as const;

const UNKNOWN: PublicRules = { books: [], epochs: [] };

/** The query of GET rules. */
export const rulesQuery = ({ api }: { api: Pick<Sdk['api'], 'call'> }) => ({
  queryKey: RULES_KEY,
  meta: { live: {} },
  queryFn: ({ signal }: { signal: AbortSignal }) => api.call(rulesEndpoints.rules, { signal }),
  staleTime: QUERY_STALE_MS,
});

/** Rule books and epochs, of the past and to come. */
export function useRules(): UseQueryResult<PublicRules> {
  return useQuery(rulesQuery(useSdk()));
}

/** The rule books, those that are to come among them; the first one while they are not known. */
export function useRuleBooks(): readonly RuleBook[] {
  return useRules().data?.books ?? FIRST_BOOKS;
}

/**
 * The rule book in force; the first one while it is not known. Where the answer has the first one, too, nothing that is drawn by it is drawn again.
 */
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
