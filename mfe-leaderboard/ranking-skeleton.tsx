import { Card, Skeleton, SkeletonRegion, Stack } from '@cord/ui';
import s from './ranking-skeleton.module.css';

const STEPS = [
  { place: 'second', avatarPx: 60, stepPx: 96 },
  { place: 'first', avatarPx: 72, stepPx: 124 },
  { place: 'third', avatarPx: 60, stepPx: 76 },
];
const ROWS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** @param podium whether the first three will stand on steps, which they do not in a search */
export function RankingSkeleton({ podium }: { podium: boolean }) {
  return (
    <SkeletonRegion className={s.ranking}>
      {podium && (
        <Card padding="none" className={s.podium}>
          {STEPS.map(({ place, avatarPx, stepPx }) => (
            <Stack key={place} gap={10} align="center">
              <Skeleton width={avatarPx} height={avatarPx} round />
              <Skeleton width="50%" />
              <Skeleton width="30%" height={26} />
              <Skeleton height={stepPx} className={s.step} />
            </Stack>
          ))}
        </Card>
      )}
      <Card padding="none" className={s.list}>
        {ROWS.map((row) => (
          <div key={row} className={s.row}>
            <Skeleton width={24} />
            <Skeleton width={36} height={36} round />
            <Skeleton width="40%" />
            <Skeleton width={90} />
          </div>
        ))}
      </Card>
    </SkeletonRegion>
  );
}
