import { STRANDS, type StrandAdds, strandPattern } from '@cord/contracts/drawing/strands';
import { useId, useMemo } from 'react';
import { cx } from '../class-names';
import { remScale } from '../rem';
import s from './cord-line.module.css';

export interface CordLineProps {
  /** Contribution of each factor; only the base without it. */
  adds?: StrandAdds | undefined;
  /** px; `cordThickness(multiplier)` in the tier table, 18 under the rate table, 12 in the check-in. */
  thickness?: number | undefined;
  /** The end at which the cord fades out. */
  parted?: 'start' | 'end' | undefined;
}

/** Thickness of the cord of a tier, px: 7 x the root of the multiplier + 1 (the visual language). */
export function cordThickness(multiplier: number): number {
  return 7 * Math.sqrt(Math.max(0, multiplier)) + 1;
}

const PLAIN: StrandAdds = { base: 1 };
const round = (n: number) => Math.round(n * 100) / 100;

/** A flat laid cord of full width. Use it only for the tier table, rate table, check-in, streak, lease, loading and empty states. */
export function CordLine({ adds = PLAIN, thickness = 18, parted }: CordLineProps) {
  const id = useId().replace(/[^a-zA-Z0-9]/g, '');
  const { base = 0, age = 0, epoch = 0, badge = 0 } = adds;
  const pattern = useMemo(() => strandPattern({ base, age, epoch, badge }), [base, age, epoch, badge]);
  const height = round(thickness * remScale());
  const pitch = round(3.2 + 0.37 * height);
  const width = 0.74 * pitch;
  const gapWidth = width + Math.max(1, 0.19 * width);
  const lobe = (index: number) => {
    const x0 = (index - 0.4) * pitch;
    const x1 = (index + 1.4) * pitch;
    const y0 = height - gapWidth / 2;
    const y1 = gapWidth / 2;
    const reach = 0.3 * (y0 - y1);
    return [
      `M${round(x0)} ${round(y0)}`,
      `C${round(x0 + 0.25 * pitch)} ${round(y0 - reach)}`,
      `${round(x1 - 0.25 * pitch)} ${round(y1 + reach)}`,
      `${round(x1)} ${round(y1)}`,
    ].join(' ');
  };
  const tile = pattern.length;
  return (
    <svg
      className={cx('l-whole', parted === 'start' && s.partedStart, parted === 'end' && s.partedEnd)}
      height={height}
      aria-hidden="true"
    >
      <defs>
        {STRANDS.map((strand) => (
          <linearGradient
            key={strand}
            id={`${id}${strand}`}
            gradientUnits="userSpaceOnUse"
            x1="0"
            x2="0"
            y1="0"
            y2={height}
          >
            <stop offset="0" stopColor={`var(--y-${strand}-rim)`} />
            <stop offset="0.36" stopColor={`var(--y-${strand})`} />
            <stop offset="0.72" stopColor={`var(--y-${strand})`} />
            <stop offset="1" stopColor={`var(--y-${strand}-rim)`} />
          </linearGradient>
        ))}
        <pattern id={`${id}lay`} patternUnits="userSpaceOnUse" width={round(tile * pitch)} height={height}>
          {Array.from({ length: tile + 4 }, (_, i) => i - 2).map((i) => (
            <g key={i} fill="none" strokeLinecap="round">
              <path stroke="var(--y-gap)" d={lobe(i)} strokeWidth={gapWidth} />
              <path d={lobe(i)} stroke={`url(#${id}${pattern[(i + tile) % tile] ?? 'base'})`} strokeWidth={width} />
            </g>
          ))}
        </pattern>
      </defs>
      <rect width="100%" height={height} fill={`url(#${id}lay)`} />
    </svg>
  );
}

/** Two ends of a plain cord, for empty states. */
export function PartedCord() {
  return (
    <span className={s.parted} aria-hidden="true">
      <CordLine thickness={10} parted="end" />
      <CordLine thickness={10} parted="start" />
    </span>
  );
}
