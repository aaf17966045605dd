import { type CSSProperties, type ReactNode, useId } from 'react';
import { cx } from '../class-names';
import { formatPercent, UNKNOWN } from '../format';
import s from './progress.module.css';

export interface ProgressProps {
  /** 0 to 100; null when not known. */
  percent: number | null;
  /** The label, shown above at the left: "640.12 of 1,000.00". */
  label: ReactNode;
  /** `bar` in progress, `live` complete or healthy, `warn` held back. */
  tone?: 'bar' | 'live' | 'warn' | undefined;
  /** Keeps label and value for screen readers only. */
  bare?: boolean | undefined;
}

/** A bar of 8 px, always with its value as text. */
export function Progress({ percent, label, tone = 'bar', bare = false }: ProgressProps) {
  const id = useId();
  const known = percent !== null && Number.isFinite(percent);
  const value = known ? Math.min(100, Math.max(0, percent)) : 0;
  const text = known ? formatPercent(value) : UNKNOWN;
  return (
    <div className={s.progress}>
      <div className={cx(s.texts, bare && 't-hidden')}>
        <span className={s.label}>
          <span id={id}>{label}</span>
        </span>
        <span className="t-small t-600">{text}</span>
      </div>
      <div
        role="progressbar"
        className={s.track}
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={known ? value : undefined}
        aria-valuetext={text}
      >
        <div
          className={cx(s.fill, value === 0 && s.none)}
          data-tone={tone}
          style={{ '--value': `${value}%` } as CSSProperties}
        />
      </div>
    </div>
  );
}
