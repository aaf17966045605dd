import { Loaded, type LoadedQuery } from '@cord/sdk';
import { EmptyState, Skeleton, SkeletonRegion } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './users.module.css';

interface PartProps<T> {
  query: LoadedQuery<T> & { isPlaceholderData: boolean };
  failed: string;
  /** The text where there is nothing. */
  empty: { title: string; text: string; is: (data: T) => boolean };
  /** What stands under it, also where there is nothing. */
  foot?: (data: T) => ReactNode;
  children: (data: T) => ReactNode;
}

/** A part of an account's page in whichever state it is: loading, failed, empty, or there. */
export function PartOf<T>({ query, failed, empty, foot, children }: PartProps<T>) {
  const loading = (
    <SkeletonRegion className={s.loading}>
      <Skeleton height={240} />
    </SkeletonRegion>
  );
  return (
    <Loaded query={query} failed={failed} loading={loading}>
      {(data) => (
        <>
          {empty.is(data) ? (
            <EmptyState title={empty.title} level={2}>
              {empty.text}
            </EmptyState>
          ) : (
            <div aria-busy={query.isPlaceholderData}>{children(data)}</div>
          )}
          {foot?.(data)}
        </>
      )}
    </Loaded>
  );
}
