import { useTexts } from '@cord/sdk';
import { Card, Skeleton, SkeletonRegion } from '@cord/ui';
import s from './page-skeleton.module.css';
import { TAB_TEXTS } from './texts';

/** A page that is on its way: a title and two panels. */
export function PageSkeleton({ label }: { label: string }) {
  const t = useTexts(TAB_TEXTS);
  return (
    <SkeletonRegion label={t.loading({ tab: label })} className={s.page}>
      <Skeleton width={240} height={32} />
      <Skeleton width={160} />
      <div className={s.panels}>
        <Card>
          <div className={s.lines}>
            <Skeleton width="40%" height={26} />
            <Skeleton height={120} />
            <Skeleton width="70%" />
          </div>
        </Card>
        <Card>
          <div className={s.lines}>
            <Skeleton width="50%" height={26} />
            <Skeleton height={80} />
            <Skeleton width="60%" />
          </div>
        </Card>
      </div>
    </SkeletonRegion>
  );
}
