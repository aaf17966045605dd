import type { EarningsRange } from '@cord/contracts/http/mining';
import { useTexts } from '@cord/sdk';
import { EmptyState, Skeleton, SkeletonRegion, TabErrorPanel, WarningBadge } from '@cord/ui';
import { StartButton } from '../node/node-toggle';
import { useNode } from '../node/use-node';
import s from './states.module.css';
import { EARNINGS_TEXTS } from './texts';
import type { EarningsState } from './use-earnings';

const BARS = 30;
/** Heights of the placeholder bars in percent, without meaning. */
const HEIGHTS = [47, 90, 68];

/** Thirty placeholder bars. */
export function LoadingBars({ tall = false }: { tall?: boolean }) {
  return (
    <SkeletonRegion className={tall ? s.tall : s.bars}>
      {Array.from({ length: BARS }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing but their place
        <Skeleton key={n} className={s.bar} height={`${HEIGHTS[n % HEIGHTS.length]}%`} />
      ))}
    </SkeletonRegion>
  );
}

export function Failed({ state }: { state: EarningsState }) {
  const t = useTexts(EARNINGS_TEXTS);
  return (
    <div className={s.middle}>
      <TabErrorPanel compact title={t.failed} onRetry={state.reload} retrying={state.fetching}>
        {t.failedText}
      </TabErrorPanel>
    </div>
  );
}

/** Shown when the range has no earnings. */
export function Empty({ range }: { range: EarningsRange }) {
  const t = useTexts(EARNINGS_TEXTS);
  const node = useNode();
  const { phase } = node;
  const canStart = phase === 'idle' || phase === 'paused' || phase === 'starting';
  return (
    <div className={s.middle}>
      <EmptyState title={t.empty({ range: t[`range.${range}`] })} action={canStart && <StartButton node={node} />}>
        {phase === 'running' ? t.emptyRunning : t.emptyText}
      </EmptyState>
    </div>
  );
}

/** Shown when the data may be outdated. */
export function LastKnown({ state }: { state: EarningsState }) {
  const t = useTexts(EARNINGS_TEXTS);
  return state.stale ? <WarningBadge>{t.lastKnown}</WarningBadge> : null;
}
