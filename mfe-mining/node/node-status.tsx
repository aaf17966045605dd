import { useTexts } from '@cord/sdk';
import { Amount, formatDuration, formatHashRate, formatPercent, Progress, Row, TickingNumber } from '@cord/ui';
import type { ReactNode } from 'react';
import { TEXTS } from '../texts';
import s from './node-status.module.css';

interface NodeStatusProps {
  /** CORD per minute; null when unknown. */
  rate: number | null;
  /** Running time, ms. */
  uptimeMs: number | null;
  /** 0 to 100. */
  efficiency: number | null;
  /** H/s, simulated; omitted on the dashboard. */
  hashRate?: number | null | undefined;
  labels: { rate: string; uptime: string; efficiency: string; hashRate?: string | undefined };
  /** `WhyPopover`s beside the labels. */
  whyRate?: ReactNode;
  whyUptime?: ReactNode;
  whyEfficiency?: ReactNode;
  whyHashRate?: ReactNode;
  /** Under the bar: "4 min 27 s of this session could not be credited." */
  efficiencyHint?: ReactNode;
  /** `page` on Mining with the large rate, `card` on the dashboard. */
  look?: 'page' | 'card' | undefined;
}

/** Numbers of a node: rate, uptime, hash rate, efficiency with its bar. */
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
      <Named whole label={labels.rate} why={whyRate}>
        <Amount value={rate} kind="rate" unit={t.rateUnit} size={page ? 'n44' : 'n32'} testId="rate" />
      </Named>
      <Named label={labels.uptime} why={whyUptime}>
        <TickingNumber
          text={uptime}
          readerText={`${labels.uptime} ${uptime}`}
          testId="uptime"
          dataValue={uptimeMs === null ? undefined : Math.floor(uptimeMs / 1000)}
        />
      </Named>
      {page ? (
        <Named label={labels.hashRate} why={whyHashRate}>
          <span data-number>{formatHashRate(hashRate)}</span>
        </Named>
      ) : (
        <Named label={labels.efficiency} why={whyEfficiency}>
          <Percent of={efficiency} />
        </Named>
      )}
      <div className={s.whole}>
        {page && (
          <Row as="dt" align="center" between>
            <span className="t-name">
              {labels.efficiency}
              {whyEfficiency}
            </span>
            <strong className="t-600">
              <Percent of={efficiency} />
            </strong>
          </Row>
        )}
        <dd>
          <Progress percent={efficiency} label={labels.efficiency} tone={held ? 'warn' : 'live'} bare />
          {efficiencyHint !== undefined && <p className={s.hint}>{efficiencyHint}</p>}
        </dd>
      </div>
    </dl>
  );
}

interface NamedProps {
  label: ReactNode;
  /** Its "Why this number?" button. */
  why: ReactNode;
  /** Full width, with a number of its own size. */
  whole?: boolean;
  children: ReactNode;
}

/** A number under its name. */
function Named({ label, why, whole = false, children }: NamedProps) {
  return (
    <div className={whole ? s.whole : undefined}>
      <dt className="t-name">
        {label}
        {why}
      </dt>
      <dd className={whole ? undefined : s.value}>{children}</dd>
    </div>
  );
}

function Percent({ of }: { of: number | null }) {
  return (
    <span data-number data-testid="efficiency" data-value={of ?? undefined}>
      {formatPercent(of)}
    </span>
  );
}
