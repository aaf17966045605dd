import type { Address } from '@cord/contracts/address';
import type { BodyInputOf, ParamsOf, QueryInputOf, ResponseOf } from '@cord/contracts/calls';
import { ApiError, keepPreviousData, useQuery, useSdk } from '@cord/sdk';

/** What the keys of the room's queries and calls begin with: no view's cache meets that of another module. */
export const OPERATORS = 'operators';
/** What every read of the audit log begins with. */
export const TRAIL = [OPERATORS, 'trail'] as const;

const LISTED = 25;

/** A page of a list: from the start, or from where the one before ended. */
export const pageFrom = (cursor: string | null) => ({
  limit: String(LISTED),
  ...(cursor === null ? {} : { cursor }),
});

/**
 * How a view's query keeps up while it is on screen: it looks that often, and a second view of the same reads no sooner.
 * @param ms between two looks
 */
export function lookEvery(ms: number): { refetchInterval: number; staleTime: number } {
  return { refetchInterval: ms, staleTime: ms };
}

const LIST_MS = 15_000;

/** How a page of what waits for operators is read. @param list what every read of it begins with @param chosen which of it, all by default */
export const listPage = <Q extends object>(list: readonly unknown[], cursor: string | null, chosen?: Q) => ({
  key: [...list, chosen, cursor],
  query: { ...chosen, ...pageFrom(cursor) } as Q & ReturnType<typeof pageFrom>,
  keepPrevious: true,
  ...lookEvery(LIST_MS),
});

interface Read<A extends Address> {
  key: readonly unknown[];
  params?: ParamsOf<A>;
  query?: QueryInputOf<A>;
  body?: BodyInputOf<A>;
  staleTime: number;
  refetchInterval?: number;
  /** The answer under the key before stays until the next one is there, as with pages. */
  keepPrevious?: boolean;
  enabled?: boolean;
  retry?: boolean;
}

/** A query that is one call of an endpoint. */
export function useRead<A extends Address>(
  endpoint: A,
  { key, params, query, body, keepPrevious = false, ...options }: Read<A>,
) {
  const { api } = useSdk();
  const input = { ...(params && { params }), ...(query && { query }), ...(body && { body }) };
  return useQuery<ResponseOf<A>>({
    queryKey: key,
    queryFn: ({ signal }) => api.call(endpoint, { ...input, signal }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...options,
  });
}

/** What a call answers; null for what is not there, or cannot be by its id. @throws what else the call throws */
export async function orGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}
