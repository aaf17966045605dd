import { Skeleton, SkeletonRegion } from '@cord/ui';
import s from './ranking-skeleton.module.css';

const ROWS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

export function RankingSkeleton() {
  return (
    <SkeletonRegion className={s.list}>
      {ROWS.map((row) => (
        <div key={row} className={s.row}>
          <Skeleton width={24} />
          <Skeleton width={36} height={36} round />
          <Skeleton width="40%" />
          <Skeleton width={90} />
        </div>
      ))}
    </SkeletonRegion>
  );
}
