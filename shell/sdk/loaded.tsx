import { TabErrorPanel } from '@cord/ui';
import type { ReactNode } from 'react';
import { isUnread } from './query';

/** The part of a query's result that decides what stands on screen. */
export type LoadedQuery<T> = Parameters<typeof isUnread>[0] & {
  data: T | undefined;
  isFetching: boolean;
  refetch: () => unknown;
};

interface LoadedProps<T> {
  query: LoadedQuery<T>;
  /** Title of the error panel. */
  failed: string;
  /** More about the error, under the title. */
  failedText?: ReactNode;
  /** What stands in its place until the first answer. */
  loading: ReactNode;
  /** What stands there while the query waits for the network; the error panel when left out. */
  offline?: ReactNode;
  /** Whether the error panel stands in a card (default) or has a place of its own. */
  compact?: boolean;
  children: (data: T) => ReactNode;
}

/** A query in whichever state: data, loading, or failed with Retry. Data stays on screen when a later read fails; the answer to another question does not while the server is out of reach. */
export function Loaded<T>(props: LoadedProps<T>) {
  const { query, failed, failedText, loading, offline, compact = true, children } = props;
  const unread = isUnread(query);
  const isOfAnother = unread && query.isPlaceholderData;
  if (query.data !== undefined && !isOfAnother) return children(query.data);
  if (!unread) return loading;
  if (offline !== undefined && !query.isError) return offline;
  return (
    <TabErrorPanel compact={compact} title={failed} onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {failedText}
    </TabErrorPanel>
  );
}
