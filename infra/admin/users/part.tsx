import { EmptyState, Skeleton, SkeletonRegion, TabErrorPanel } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './users.module.css';

interface PartProps<T> {
  /** What is asked for. */
  asked: { data: T | undefined; isError: boolean; isFetching: boolean; refetch: () => unknown };
  failed: string;
  /** What it says where there is nothing. */
  empty: { title: string; text: string; is: (data: T) => boolean };
  children: (data: T) => ReactNode;
}

/** A part of an account's page in whichever state it is: loading, failed, empty, or there. */
export function PartOf<T>({ asked: { data, isError, isFetching, refetch }, failed, empty, children }: PartProps<T>) {
  if (data === undefined && isError) {
    return <TabErrorPanel compact title={failed} onRetry={() => void refetch()} retrying={isFetching} />;
  }
  if (data === undefined) {
    return (
      <SkeletonRegion className={s.loading}>
        <Skeleton height={240} />
      </SkeletonRegion>
    );
  }
  if (empty.is(data)) {
    return (
      <EmptyState title={empty.title} level={2}>
        {empty.text}
      </EmptyState>
    );
  }
  return children(data);
}
