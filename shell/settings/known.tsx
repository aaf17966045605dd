import { Loaded, type LoadedQuery, useTexts } from '@cord/sdk';
import { Skeleton } from '@cord/ui';
import type { ReactNode } from 'react';
import { SETTINGS_TEXTS } from './texts';

interface KnownProps<T> {
  query: LoadedQuery<T>;
  /** Text when it could not be loaded. */
  failed: string;
  /** Height of the placeholder, px. */
  height?: number;
  children: (data: T) => ReactNode;
}

/** `Loaded` with the texts and the placeholder of Settings. */
export function Known<T>({ query, failed, height = 48, children }: KnownProps<T>) {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Loaded
      query={query}
      failed={failed}
      loading={<Skeleton height={height} />}
      offline={<p className="t-note">{t.whenOnline}</p>}
    >
      {children}
    </Loaded>
  );
}
