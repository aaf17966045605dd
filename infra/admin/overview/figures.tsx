import type { GlobalStats } from '@cord/contracts/http/leaderboard';
import type { IssuedOverTime, OperatorsOverview } from '@cord/contracts/http/overview';
import { formatDayKey, useTexts } from '@cord/sdk';
import { Cell, Cells, formatCord, formatCount } from '@cord/ui';
import { useMoments } from '../room/moments';
import { inThousands } from '../room/thousands';
import s from './overview.module.css';
import { TEXTS } from './texts';

interface FiguresProps {
  overview: OperatorsOverview;
  /** Undefined until it is known. */
  figures: GlobalStats | undefined;
  issued: IssuedOverTime | undefined;
}

/** Six figures. */
export function Figures({ overview, figures, issued }: FiguresProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const [yesterday, today] = issued?.buckets.slice(-2) ?? [];
  const faults = overview.clientErrors.reduce((sum, { count }) => sum + count, 0);
  const { audit, root } = issued ?? {};
  const shownMemo = (last: NonNullable<NonNullable<typeof root>['memo']>['last']) =>
    last ? t.memoOf({ size: last.size, slot: last.slot, time: minute(last.at) }) : t.noMemo;
  const shownWitnesses = ({ size, witnesses }: NonNullable<typeof root>) => {
    const missing = witnesses.filter((one) => one.size === null || one.size < size).map(({ name }) => name);
    const count = witnesses.length;
    const text = t.witnessed({ size, signed: count - missing.length, count });
    return missing.length === 0 ? text : `${text}, ${t.unwitnessed({ names: missing.join(', ') })}`;
  };
  return (
    <Cells className={s.figures} columns={3}>
      <Cell
        label={t.activeNodes}
        value={figures && formatCount(figures.activeMiners)}
        hint={figures && t.ofMiners({ count: figures.totalMiners })}
      />
      <Cell label={t.onlineNow} value={figures && formatCount(figures.onlineNow)} hint={t.inFive} />
      <Cell
        label={t.issuedToday}
        value={today && formatCord(today.total, { decimals: 0 })}
        hint={yesterday && t.yesterday({ amount: formatCord(yesterday.total, { decimals: 0 }) })}
      />
      <Cell label={t.issuedInAll} value={issued && inThousands(issued.inAll)} hint={t.cordAllTime} />
      <Cell
        label={t.ledgerDrift}
        value={issued && formatCord(audit?.drift ?? null, { decimals: audit?.drift === 0 ? 0 : 6 })}
        hint={
          issued &&
          [
            audit ? t.audited({ time: minute(audit.at), count: audit.accounts }) : t.notAudited,
            root ? t.rootOf({ day: formatDayKey(root.day), size: root.size }) : t.noRoot,
            ...(root?.memo ? [shownMemo(root.memo.last)] : []),
            ...(root && root.witnesses.length > 0 ? [shownWitnesses(root)] : []),
          ].join('; ')
        }
      />
      <Cell label={t.pageErrors} value={formatCount(faults)} hint={t.pageErrorsHint} />
    </Cells>
  );
}
