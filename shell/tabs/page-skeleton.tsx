import { useTexts } from '@cord/sdk';
import { Card, Skeleton, SkeletonRegion, Stack } from '@cord/ui';
import s from './page-skeleton.module.css';
import { TAB_TEXTS } from './texts';

/** Placeholder of a page: a title and two panels. */
export function PageSkeleton({ label }: { label: string }) {
  const t = useTexts(TAB_TEXTS);
  return (
    <SkeletonRegion label={t.loading({ tab: label })} className={s.page}>
      <Skeleton width={240} height={32} />
      <Skeleton width={160} />
      <Stack gap="var(--gap)" className={s.panels}>
        <Card>
          <Stack gap={16}>
            <Skeleton width="40%" height={26} />
            <Skeleton height={120} />
            <Skeleton width="70%" />
          </Stack>
        </Card>
        <Card>
          <Stack gap={16}>
            <Skeleton width="50%" height={26} />
            <Skeleton height={80} />
            <Skeleton width="60%" />
          </Stack>
        </Card>
      </Stack>
    </SkeletonRegion>
  );
}
