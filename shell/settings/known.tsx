import { Loaded, type LoadedQuery, useTexts } from '@cord/sdk';
import { Skeleton } from '@cord/ui';
import type { ReactNode } from 'react';
import { SETTINGS_TEXTS } from './texts';

interface KnownProps<T> {
  query: LoadedQuery<T>;
  /** Text when it could not be loaded. */
  failed: string;
  /** The placeholder, laid out like the content. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** `Loaded` with the texts and the placeholder of Settings. */
export function Known<T>({ query, failed, loading = <Skeleton height={40} />, children }: KnownProps<T>) {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Loaded query={query} failed={failed} loading={loading} offline={<p className="t-note">{t.whenOnline}</p>}>
      {children}
    </Loaded>
  );
}
