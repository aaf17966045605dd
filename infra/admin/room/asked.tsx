import { isUnread } from '@cord/sdk';
import { TabErrorPanel } from '@cord/ui';
import type { ReactNode } from 'react';

interface AskedProps<T> {
  /** What is asked for. */
  asked: Parameters<typeof isUnread>[0] & { data: T | undefined; isFetching: boolean; refetch: () => unknown };
  failed: string;
  /** What stands in its place until it comes. */
  loading: ReactNode;
  /** Whether the error stands in a card or has a place of its own. */
  compact?: boolean;
  children: (data: T) => ReactNode;
}

/** What the server is asked for, in whichever state: not there yet, failed with Retry, or there; the last known stays where asking anew fails. */
export function Asked<T>({ asked, failed, loading, compact = true, children }: AskedProps<T>) {
  const { data, isFetching, refetch } = asked;
  if (data !== undefined) return children(data);
  if (!isUnread(asked)) return loading;
  return <TabErrorPanel compact={compact} title={failed} onRetry={() => void refetch()} retrying={isFetching} />;
}
