import {
  type DialGeometry,
  dialGeometry,
  handPath,
  isParted,
  LAY_MS,
  lobePath,
  lobesBesideHand,
  polar,
  strokes,
  ticks,
} from '@cord/contracts/drawing/dial';
import { layLobes, STRANDS, type StrandAdds } from '@cord/contracts/drawing/strands';
import { type CSSProperties, memo, type ReactNode, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './cord-dial.module.css';
import { DialMotion, type DialState } from './dial-motion';
import { useMotionAllowed } from './use-motion-allowed';

export type { DialState } from './dial-motion';

export interface CordDialProps {
  state: DialState;
  /** Current session earnings, CORD; pass it on every save or tick, and the dial eases to it. Null while unknown. */
  earned: number | null;
  /** CORD per minute; one turn takes 60 / rate seconds. */
  rate: number;
  /** Contribution of each factor to the rate, before any penalty. */
  adds?: StrandAdds | undefined;
  /** 0 to 100, including the network penalty; lost efficiency is shown as hollow lobes. */
  efficiency?: number | undefined;
  /** Maximum size, px: 430 and 322 on Mining, 272 on the dashboard, 148 in dialogs. */
  size?: number | undefined;
  /** Content in the middle: a `DialReading`, an `Avatar`, the `Logo`. */
  children?: ReactNode;
}

const PLAIN: StrandAdds = { base: 1 };
const STRAND = { fill: 'none', strokeLinecap: 'round' } as const;

/** The cord dial: a laid cord that turns while the node runs. Hidden from screen readers. */
export function CordDial({ state, earned, rate, adds = PLAIN, efficiency = 100, size = 272, children }: CordDialProps) {
  const ring = useRef<SVGSVGElement>(null);
  const motion = useRef<DialMotion | null>(null);
  const moving = useMotionAllowed();
  const geometry = useMemo(() => dialGeometry(size), [size]);
  // Before the first paint, so that the hand does not appear at .0 first.
  useLayoutEffect(() => {
    if (!ring.current) return;
    motion.current = new DialMotion(ring.current);
    return () => {
      motion.current?.dispose();
      motion.current = null;
    };
  }, []);
  useLayoutEffect(() => motion.current?.aim({ state, earned, rate, moving }), [state, earned, rate, moving]);
  const { base = 0, age = 0, epoch = 0, badge = 0 } = adds;
  return (
    <div className={cx(s.dial, s[state])} style={{ '--dial': rem(size) } as CSSProperties} data-state={state}>
      <Scale geometry={geometry} />
      <div className={s.stage}>
        <svg ref={ring} className={s.ring} data-ring="" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
          <Ring {...{ geometry, state, base, age, epoch, badge, efficiency, moving }} />
        </svg>
      </div>
      {children !== undefined && <div className={s.middle}>{children}</div>}
    </div>
  );
}

/** Ten marks from .0 to .9; it never moves. */
const Scale = memo(function Scale({ geometry }: { geometry: DialGeometry }) {
  const { size } = geometry;
  return (
    <svg className={s.scale} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {ticks(geometry).map(({ major, ...line }) => (
        <line key={`${line.x1} ${line.y1}`} className={major ? s.major : s.minor} {...line} />
      ))}
      {geometry.labelled &&
        Array.from({ length: 10 }, (_, i) => {
          const at = polar(geometry, geometry.labelRadius, (i / 10) * 2 * Math.PI);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the ten marks are fixed
            <text key={i} className={s.mark} fontSize={12} {...at} dy="0.36em">
              .{i}
            </text>
          );
        })}
    </svg>
  );
});

interface RingProps extends Required<StrandAdds> {
  geometry: DialGeometry;
  state: DialState;
  efficiency: number;
  moving: boolean;
}

/** Lobes and hand; they re-render only when their values change, not for each frame. */
const Ring = memo(function Ring({ geometry, state, base, age, epoch, badge, efficiency, moving }: RingProps) {
  const id = useId().replace(/[^a-zA-Z0-9]/g, '');
  const { size, center, outer } = geometry;
  const hollow = state === 'idle' || state === 'starting' || state === 'error';
  const solid = !(state === 'idle' || state === 'error');
  const paths = useMemo(() => lobesBesideHand(geometry).map((i) => ({ i, d: lobePath(geometry, i) })), [geometry]);
  const lobes = useMemo(
    () => layLobes(geometry.lobes, { base, age, epoch, badge }, efficiency),
    [geometry, base, age, epoch, badge, efficiency],
  );
  const { gapWidth, voidWidth, rims } = strokes(geometry);
  return (
    <>
      <defs>
        {STRANDS.map((strand) => (
          <radialGradient
            key={strand}
            id={`${id}${strand}`}
            gradientUnits="userSpaceOnUse"
            cx={center}
            cy={center}
            r={outer}
          >
            {rims.map(({ offset, rim }) => (
              <stop key={offset} offset={offset} stopColor={`var(--y-${strand}${rim ? '-rim' : ''})`} />
            ))}
          </radialGradient>
        ))}
        {state === 'starting' && <LayingMask id={`${id}lay`} geometry={geometry} moving={moving} />}
      </defs>
      {hollow && (
        <g className={s.hollow} stroke="var(--y-void)" strokeWidth={voidWidth} {...STRAND}>
          {paths.map(({ i, d }) => (state === 'error' && isParted(geometry, i) ? null : <path key={i} d={d} />))}
        </g>
      )}
      {solid && (
        <g className={s.cord} mask={state === 'starting' ? `url(#${id}lay)` : undefined} {...STRAND}>
          {paths.map(({ i, d }) => {
            const lobe = lobes[i] ?? 'base';
            if (lobe === 'void') return <path key={i} stroke="var(--y-void)" d={d} strokeWidth={voidWidth} />;
            return (
              <g key={i} data-strand={lobe}>
                <path stroke="var(--y-gap)" d={d} strokeWidth={gapWidth} />
                <path d={d} stroke={`url(#${id}${lobe})`} strokeWidth={geometry.width} />
              </g>
            );
          })}
        </g>
      )}
      <path className={s.hand} d={handPath(geometry)} data-size={size} />
    </>
  );
});

/** Reveals the cord clockwise from .0 in 1.5 s; stays complete if the server is slow. */
function LayingMask({ id, geometry, moving }: { id: string; geometry: DialGeometry; moving: boolean }) {
  const circle = useRef<SVGCircleElement>(null);
  useLayoutEffect(() => {
    if (!moving || typeof circle.current?.animate !== 'function') return;
    const laying = circle.current.animate([{ strokeDashoffset: '100' }, { strokeDashoffset: '0' }], {
      duration: LAY_MS,
      fill: 'both',
    });
    return () => laying.cancel();
  }, [moving]);
  const { center, inner, outer, size } = geometry;
  return (
    <mask id={id} maskUnits="userSpaceOnUse" x="0" y="0" width={size} height={size}>
      <circle
        ref={circle}
        className={s.laid}
        cx={center}
        cy={center}
        r={(inner + outer) / 2}
        strokeWidth={strokes(geometry).layWidth}
        pathLength="100"
        transform={`rotate(-90 ${center} ${center})`}
      />
    </mask>
  );
}
