import { useTexts } from '@cord/sdk';
import { Amount, formatDuration, formatHashRate, formatPercent, Progress, TickingNumber } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './node-status.module.css';
import { TEXTS } from './texts';

interface NodeStatusProps {
  /** CORD per minute; null when not known. */
  rate: number | null;
  /** ms the node has been running. */
  uptimeMs: number | null;
  /** 0 to 100. */
  efficiency: number | null;
  /** H/s, simulated; left out on the dashboard. */
  hashRate?: number | null | undefined;
  labels: { rate: string; uptime: string; efficiency: string; hashRate?: string | undefined };
  /** `WhyPopover`s in the labels' rows. */
  whyRate?: ReactNode;
  whyUptime?: ReactNode;
  whyEfficiency?: ReactNode;
  whyHashRate?: ReactNode;
  /** Under the bar: "4 min 27 s of this session could not be credited." */
  efficiencyHint?: ReactNode;
  /** `page` on Mining with the large rate, `card` on the dashboard. */
  look?: 'page' | 'card' | undefined;
}

/** The numbers of a node: rate, uptime, hash rate, efficiency with its bar. */
export function NodeStatus({
  rate,
  uptimeMs,
  efficiency,
  hashRate,
  labels,
  whyRate,
  whyUptime,
  whyEfficiency,
  whyHashRate,
  efficiencyHint,
  look = 'card',
}: NodeStatusProps) {
  const t = useTexts(TEXTS);
  const page = look === 'page';
  const uptime = formatDuration(uptimeMs);
  const held = efficiency !== null && efficiency < 80;
  return (
    <dl className={s.status}>
      <div className={s.whole}>
        <dt className={s.label}>
          {labels.rate}
          {whyRate}
        </dt>
        <dd>
          <Amount value={rate} kind="rate" unit={t.rateUnit} size={page ? 'n44' : 'n32'} testId="rate" />
        </dd>
      </div>
      <div>
        <dt className={s.label}>
          {labels.uptime}
          {whyUptime}
        </dt>
        <dd className={s.value}>
          <TickingNumber
            text={uptime}
            spoken={`${labels.uptime} ${uptime}`}
            testId="uptime"
            dataValue={uptimeMs === null ? undefined : Math.floor(uptimeMs / 1000)}
          />
        </dd>
      </div>
      {page ? (
        <div>
          <dt className={s.label}>
            {labels.hashRate}
            {whyHashRate}
          </dt>
          <dd className={s.value} data-number>
            {formatHashRate(hashRate)}
          </dd>
        </div>
      ) : (
        <div>
          <dt className={s.label}>
            {labels.efficiency}
            {whyEfficiency}
          </dt>
          <dd className={s.value} data-number data-testid="efficiency" data-value={efficiency ?? undefined}>
            {formatPercent(efficiency)}
          </dd>
        </div>
      )}
      <div className={s.whole}>
        {page && (
          <dt className={s.split}>
            <span className={s.label}>
              {labels.efficiency}
              {whyEfficiency}
            </span>
            <strong className={s.percent} data-number data-testid="efficiency" data-value={efficiency ?? undefined}>
              {formatPercent(efficiency)}
            </strong>
          </dt>
        )}
        <dd>
          <Progress percent={efficiency} label={labels.efficiency} tone={held ? 'warn' : 'live'} bare />
          {efficiencyHint !== undefined && <p className={s.hint}>{efficiencyHint}</p>}
        </dd>
      </div>
    </dl>
  );
}
