import { Loaded, type LoadedQuery } from '@cord/sdk';
import { type Column, EmptyState, Skeleton, SkeletonRegion, Table } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './users.module.css';

interface PartProps<T, R> {
  query: LoadedQuery<T> & { isPlaceholderData: boolean };
  failed: string;
  caption: string;
  columns: readonly Column<R>[];
  rowsOf: (data: T) => readonly R[];
  rowKey: (row: R) => string;
  /** The text where there is nothing. */
  empty: { title: string; text: string };
  /** What stands under it, also where there is nothing. */
  foot?: (data: T) => ReactNode;
}

/** While a part is on its way. @param height px */
export const partLoading = (height: number) => (
  <SkeletonRegion className={s.loading}>
    <Skeleton height={height} />
  </SkeletonRegion>
);

/** A table of an account's page in whichever state it is: loading, failed, empty, or there. */
export function PartOf<T, R>({ query, failed, rowsOf, empty, foot, ...table }: PartProps<T, R>) {
  return (
    <Loaded query={query} failed={failed} loading={partLoading(240)}>
      {(data) => (
        <>
          {rowsOf(data).length === 0 ? (
            <EmptyState title={empty.title} level={2}>
              {empty.text}
            </EmptyState>
          ) : (
            <div aria-busy={query.isPlaceholderData}>
              <Table dense {...table} rows={rowsOf(data)} />
            </div>
          )}
          {foot?.(data)}
        </>
      )}
    </Loaded>
  );
}
