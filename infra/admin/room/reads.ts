import type { Address } from '@cord/contracts/address';
import type { BodyInputOf, ParamsOf, QueryInputOf, ResponseOf } from '@cord/contracts/calls';
import { ApiError, keepPreviousData, useQuery, useSdk } from '@cord/sdk';

/** The common start of the room's query keys and writes, which separates them from other modules. */
export const OPERATORS = 'operators';
/** The common start of all query keys of the audit log. */
export const TRAIL = [OPERATORS, 'trail'] as const;

const LISTED = 25;

/** Query parameters of a page of a list: from the start, or after a cursor. */
export const pageFrom = (cursor: string | null) => ({
  limit: String(LISTED),
  ...(cursor === null ? {} : { cursor }),
});

/**
 * Query options for polling while a view is on screen. A second view of the same query does not read sooner.
 * @param ms polling interval
 */
export function pollEvery(ms: number): { refetchInterval: number; staleTime: number } {
  return { refetchInterval: ms, staleTime: ms };
}

const LIST_MS = 15_000;

/** Query options for a page of a work list. @param list the common start of its query keys @param chosen filter; all items by default */
export const listPage = <Q extends object>(list: readonly unknown[], cursor: string | null, chosen?: Q) => ({
  key: [...list, chosen, cursor],
  query: { ...chosen, ...pageFrom(cursor) } as Q & ReturnType<typeof pageFrom>,
  keepPrevious: true,
  ...pollEvery(LIST_MS),
});

interface Read<A extends Address> {
  key: readonly unknown[];
  params?: ParamsOf<A>;
  query?: QueryInputOf<A>;
  body?: BodyInputOf<A>;
  staleTime: number;
  refetchInterval?: number;
  /** Keeps the data of the previous key until the next are loaded, as for pages. */
  keepPrevious?: boolean;
  enabled?: boolean;
  retry?: boolean;
}

/** A query of one endpoint. */
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

/** Resolves to the response; null for 404 or an invalid id. @throws any other error of the call */
export async function orGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}
