import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { type PartProps, useQuery, useSdk, useSessionValue } from '@cord/sdk';

/** Title of the task that a ledger entry paid, in the reader's language; the entry itself stores it in English. */
export function LedgerTitle({ entry }: PartProps) {
  const { api } = useSdk();
  const { data: tasks } = useQuery({
    queryKey: ['tasks', 'catalogue', useSessionValue(({ user }) => user?.locale)],
    queryFn: ({ signal }) => api.call(taskEndpoints.list, { signal }),
    staleTime: QUERY_STALE_MS,
  });
  return tasks?.find(({ id }) => entry?.id.startsWith(`task:${id}:`))?.title ?? entry?.reason;
}
