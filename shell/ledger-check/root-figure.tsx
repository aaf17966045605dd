import { readDayRecord } from '@cord/contracts/proof/records';
import { useTexts } from '@cord/sdk';
import { useId } from 'react';
import s from './check-view.module.css';
import type { LedgerProof } from './read-parts';
import { CHECK_TEXTS } from './texts';

const [WIDTH, LEFT, RIGHT, MIDDLE] = [640, 22, 612, 22];
/** Characters of a hash that are shown. */
const SHOWN = 12;

/** The steps from the own leaf to the root: with each a strand is laid into the cord. A picture; its texts stand around it. */
export function RootFigure({ proof: { entries, leaf, path, record } }: { proof: LedgerProof }) {
  const t = useTexts(CHECK_TEXTS);
  const id = useId().replace(/[^a-zA-Z0-9]/g, '');
  const day = readDayRecord(record);
  const count = Math.max(1, path.length);
  const step = (RIGHT - LEFT) / count;
  const laid = Array.from({ length: count }, (_, at) => ({ x: LEFT + at * step, thick: 5 + (21 * (at + 1)) / count }));
  return (
    <div className={s.figure}>
      <div className={s.labels}>
        <span>{t.figureStart({ count: entries.length })}</span>
        <span>{t.figureEnd({ count: day?.accounts ?? 0 })}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} 64`} aria-hidden="true" className={s.cord}>
        <defs>
          <pattern id={id} width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(28)">
            <rect width="14" height="14" fill="var(--y-gap)" />
            <rect x="1" width="5.4" height="14" fill="var(--y-age)" />
            <rect x="8" width="5.4" height="14" fill="var(--y-base)" />
          </pattern>
        </defs>
        {path.map(([, hash], at) => {
          const { x = 0, thick = 0 } = laid[at] ?? {};
          const d = `M${x - 4} 58C${x + 16} 58 ${x + 8} ${MIDDLE + thick / 2} ${x + step * 0.7} ${MIDDLE + thick / 4}`;
          return (
            <g key={hash} fill="none" strokeLinecap="round">
              <path d={d} stroke="var(--y-gap)" strokeWidth="6" />
              <path d={d} stroke="var(--y-base)" strokeWidth="4.4" />
            </g>
          );
        })}
        {laid.map(({ x, thick }) => (
          <rect key={x} x={x} y={MIDDLE - thick / 2} width={step + 0.5} height={thick} fill={`url(#${id})`} />
        ))}
        <g fill="none" stroke="var(--live)" strokeWidth="3.5" strokeLinecap="round">
          <circle cx="12" cy={MIDDLE} r="8" />
          <path d={`M617 ${MIDDLE - 15}v30M623 ${MIDDLE - 15}v30M629 ${MIDDLE - 15}v30M635 ${MIDDLE - 15}v30`} />
        </g>
      </svg>
      <div className={s.labels}>
        <code>{leaf.head.slice(0, SHOWN)}</code>
        <span>{t.figureSteps({ count: path.length })}</span>
        <code>{day?.root.slice(0, SHOWN)}</code>
      </div>
    </div>
  );
}
