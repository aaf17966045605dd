import { useOnline, useTexts } from '@cord/sdk';
import { Skeleton, TabErrorPanel } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './settings.module.css';
import { SETTINGS_TEXTS } from './texts';

interface KnownProps<T> {
  query: { data: T | undefined; isError: boolean; isFetching: boolean; refetch(): unknown };
  /** What is said where it could not be loaded. */
  failed: string;
  /** px of what comes. */
  height?: number;
  children: (data: T) => ReactNode;
}

/** What a query knows. It stays while a later look at it fails; without it there is room for it, the reason why it is missing, or Retry. */
export function Known<T>({ query, failed, height = 48, children }: KnownProps<T>) {
  const t = useTexts(SETTINGS_TEXTS);
  const online = useOnline();
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return <TabErrorPanel compact title={failed} retrying={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  return online ? <Skeleton height={height} /> : <p className={s.text}>{t.whenOnline}</p>;
}
