import type { Strand, StrandAdds } from '@cord/ui';
import s from './chart.module.css';
import type { EarningsSource } from './sources';
import { lobesOf } from './strands-then';

const round = (px: number) => Math.round(px * 100) / 100;
const PLAIN: Strand[] = ['base'];

/** Distance of the lobes of a cord of this width, px; as for a flat laid cord. */
export function pitchOf(width: number): number {
  return round(3.2 + 0.37 * width);
}

/** Fills of the columns' pieces: pattern first, colour second (storybook/ui/README.md#sources-of-earnings). */
export function Patterns({ id, width, cords }: { id: string; width: number; cords: readonly StrandAdds[] }) {
  return (
    <defs>
      {(['base', 'age', 'epoch', 'badge'] as const).map((strand) => (
        <linearGradient
          key={strand}
          id={`${id}${strand}`}
          gradientUnits="userSpaceOnUse"
          x1="0"
          x2={width}
          y1="0"
          y2="0"
        >
          <stop offset="0" stopColor={`var(--y-${strand}-rim)`} />
          <stop offset="0.36" stopColor={`var(--y-${strand})`} />
          <stop offset="0.72" stopColor={`var(--y-${strand})`} />
          <stop offset="1" stopColor={`var(--y-${strand}-rim)`} />
        </linearGradient>
      ))}
      {cords.map((adds, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns name their cord by its place
        <Lay key={index} id={`${id}mining${index}`} gradients={id} width={width} lobes={lobesOf(adds)} />
      ))}
      <Lay id={`${id}commission`} gradients={id} width={width} lobes={PLAIN} otherWay />
      <Whipping id={`${id}checkin`} width={width} />
      <Herringbone id={`${id}tasks`} width={width} />
      <Rings id={`${id}claims`} width={width} />
    </defs>
  );
}

/** Returns the fill of a piece. */
export function patternOf(id: string, source: EarningsSource, cord: number): string {
  return `url(#${id}${source}${source === 'mining' ? cord : ''})`;
}

interface LayProps {
  id: string;
  gradients: string;
  width: number;
  lobes: readonly Strand[];
  otherWay?: boolean;
}

/** Pattern of an upright laid cord. */
function Lay({ id, gradients, width, lobes, otherWay = false }: LayProps) {
  const pitch = pitchOf(width);
  const stroke = 0.74 * pitch;
  const gap = stroke + Math.max(1, 0.19 * stroke);
  const across = (x: number) => round(otherWay ? width - x : x);
  const lobe = (index: number) => {
    const [y0, y1] = [(index - 0.4) * pitch, (index + 1.4) * pitch];
    const [x0, x1] = [gap / 2, width - gap / 2];
    const reach = 0.3 * (x1 - x0);
    const points = [
      [x0, y0],
      [x0 + reach, y0 + 0.25 * pitch],
      [x1 - reach, y1 - 0.25 * pitch],
      [x1, y1],
    ].map(([x = 0, y = 0]) => `${across(x)} ${round(y)}`);
    return `M${points[0]}C${points.slice(1).join(' ')}`;
  };
  const count = lobes.length;
  return (
    <pattern id={id} patternUnits="userSpaceOnUse" width={width} height={round(count * pitch)}>
      {Array.from({ length: count + 4 }, (_, n) => n - 2).map((n) => (
        <g key={n} fill="none" strokeLinecap="round">
          <path stroke="var(--y-gap)" d={lobe(n)} strokeWidth={gap} />
          <path
            d={lobe(n)}
            stroke={`url(#${gradients}${lobes[(n + 2 * count) % count] ?? 'base'})`}
            strokeWidth={stroke}
          />
        </g>
      ))}
    </pattern>
  );
}

/** Pattern of horizontal bars. */
function Whipping({ id, width }: { id: string; width: number }) {
  const pitch = round(2.4 + 0.15 * width);
  return (
    <pattern id={id} patternUnits="userSpaceOnUse" width={width} height={pitch}>
      <rect
        fill="var(--live)"
        width={width}
        height={round(pitch - Math.max(0.9, 0.06 * width))}
        rx={Math.min(1, width / 12)}
      />
    </pattern>
  );
}

function Herringbone({ id, width }: { id: string; width: number }) {
  const pitch = round(2 + 0.28 * width);
  const fall = 0.25 * width;
  const chevron = (y: number) => `M0 ${round(y)}L${round(width / 2)} ${round(y + fall)}L${round(width)} ${round(y)}`;
  return (
    <pattern id={id} patternUnits="userSpaceOnUse" width={width} height={pitch}>
      <rect fill="var(--text-2)" width={width} height={pitch} />
      {[-2, -1, 0, 1].map((n) => (
        <path key={n} className={s.chevron} d={chevron((n + 0.4) * pitch)} strokeWidth={Math.max(0.9, 0.07 * width)} />
      ))}
    </pattern>
  );
}

function Rings({ id, width }: { id: string; width: number }) {
  const pitch = round(Math.max(5, 0.62 * width));
  return (
    <pattern id={id} patternUnits="userSpaceOnUse" width={width} height={pitch}>
      <circle className={s.ring} cx={width / 2} cy={round(pitch / 2)} r={round(Math.max(1.5, 0.19 * width))} />
    </pattern>
  );
}
