import { EmptyState, Skeleton, SkeletonRegion } from '@cord/ui';
import type { ComponentProps, ReactNode } from 'react';
import { Asked } from '../room/asked';
import s from './users.module.css';

interface PartProps<T> {
  asked: ComponentProps<typeof Asked<T>>['asked'];
  failed: string;
  /** What it says where there is nothing. */
  empty: { title: string; text: string; is: (data: T) => boolean };
  children: (data: T) => ReactNode;
}

/** A part of an account's page in whichever state it is: loading, failed, empty, or there. */
export function PartOf<T>({ asked, failed, empty, children }: PartProps<T>) {
  const loading = (
    <SkeletonRegion className={s.loading}>
      <Skeleton height={240} />
    </SkeletonRegion>
  );
  return (
    <Asked asked={asked} failed={failed} loading={loading}>
      {(data) =>
        empty.is(data) ? (
          <EmptyState title={empty.title} level={2}>
            {empty.text}
          </EmptyState>
        ) : (
          children(data)
        )
      }
    </Asked>
  );
}
