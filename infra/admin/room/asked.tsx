import { TabErrorPanel } from '@cord/ui';
import type { ReactNode } from 'react';

interface AskedProps<T> {
  /** What is asked for. */
  asked: { data: T | undefined; isError: boolean; isFetching: boolean; refetch: () => unknown };
  failed: string;
  /** What stands in its place until it comes. */
  loading: ReactNode;
  /** Whether the error stands in a card or has a place of its own. */
  compact?: boolean;
  children: (data: T) => ReactNode;
}

/** What the server is asked for, in whichever state: not there yet, failed with Retry, or there; the last known stays where asking anew fails. */
export function Asked<T>({
  asked: { data, isError, isFetching, refetch },
  failed,
  loading,
  compact = true,
  children,
}: AskedProps<T>) {
  if (data !== undefined) return children(data);
  if (!isError) return loading;
  return <TabErrorPanel compact={compact} title={failed} onRetry={() => void refetch()} retrying={isFetching} />;
}
