import { TabErrorPanel } from '@cord/ui';
import type { ReactNode } from 'react';
import { isUnread } from './query';

/** The part of a query's result that selects what is rendered. */
export type LoadedQuery<T> = Parameters<typeof isUnread>[0] & {
  data: T | undefined;
  isFetching: boolean;
  refetch: () => unknown;
};

interface LoadedProps<T> {
  query: LoadedQuery<T>;
  /** Title of the error panel. */
  failed: string;
  /** Details of the error, under the title. */
  failedText?: ReactNode;
  /** Rendered until the first response. */
  loading: ReactNode;
  /** Rendered while the query waits for the network; the error panel when omitted. */
  offline?: ReactNode;
  /** Whether the error panel is in a card (default) or has its own place. */
  compact?: boolean;
  children: (data: T) => ReactNode;
}

/** Renders data, loading, or an error with Retry. Data survives a failed read; placeholder data does not while the server is unreachable. */
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
