import { CordLine, cx, Row, rem, Stack, type StrandAdds } from '@cord/ui';
import { type CSSProperties, memo, type ReactNode } from 'react';
import s from './lease-cord.module.css';

const CORD_PX = 20;
const STRANDS = ['base', 'age', 'epoch', 'badge'] as const;
const percent = (part: number) => `${Math.round(part * 1_000) / 10}%`;

interface LeaseCordProps extends Required<StrandAdds> {
  /** Used share of the eight hours, 0 to 1; null with the page open, when the cord is whole. */
  used: number | null;
  /** Whether the end is near. */
  soon: boolean;
  /** Start of an epoch, 0 to 1; null without one. */
  mark: number | null;
  from: string;
  until: string;
  /** "01:25, ×1.2" */
  marked: string;
}

/** The eight hours of a lease, from the last contact to the pause: dots are used, cord is left. Screen readers read the sentence instead. */
export const LeaseCord = memo(function LeaseCord({ used, soon, mark, from, until, marked, ...adds }: LeaseCordProps) {
  return (
    <Stack gap={2} className="t-min c-2" aria-hidden="true">
      <div className={s.row}>
        {used === null ? (
          <span className={cx(s.whipping, s.fresh)} />
        ) : (
          <>
            <span className={s.dots} style={{ flexBasis: percent(used) }} />
            <Unwound adds={adds} />
          </>
        )}
        <span className={s.cord}>
          <CordLine adds={adds} thickness={CORD_PX} />
        </span>
        <span className={cx(s.whipping, soon && s.warn)} />
        {mark !== null && <span className={s.mark} style={{ left: percent(mark) }} />}
      </div>
      <Hours />
      <div className={s.labels}>
        <span>{from}</span>
        {mark !== null && mark > 0.3 && mark < 0.82 && (
          <span className={s.marked} style={{ '--at': percent(mark) } as CSSProperties}>
            {marked}
          </span>
        )}
        <span>{until}</span>
      </div>
    </Stack>
  );
});

interface PausedCordProps extends Required<StrandAdds> {
  /** Share of the time up to now that the node ran, 0 to 1. */
  ran: number;
  from: string;
  paused: string;
  now: string;
}

/** The eight hours of running, dimmed, and dots from the pause to now. */
export const PausedCord = memo(function PausedCord({ ran, from, paused, now, ...adds }: PausedCordProps) {
  const early = ran <= 0.5;
  return (
    <Stack gap={2} className="t-min c-2" aria-hidden="true">
      <div className={s.row}>
        <span className={cx(s.row, 'l-fixed')} style={{ flexBasis: percent(ran) }}>
          <span className={cx(s.cord, s.dim)}>
            <CordLine adds={adds} thickness={CORD_PX} />
          </span>
          <span className={cx(s.whipping, s.warn)} />
        </span>
        <span className={cx(s.dots, s.missed)} />
      </div>
      <Row align="flex-start">
        <span className="l-fixed" style={{ flexBasis: percent(ran) }}>
          <Hours />
        </span>
        <i className={s.now} />
      </Row>
      <div className={s.labels}>
        <Span part={ran} first={from} last={early ? undefined : paused} />
        <span className={s.rest}>
          {early && <span>{paused}</span>}
          <span className={s.warn}>{now}</span>
        </span>
      </div>
    </Stack>
  );
});

function Span({ part, first, last }: { part: number; first: string; last: ReactNode }) {
  return (
    <span className={cx('l-fixed', s.labels)} style={{ flexBasis: percent(part) }}>
      <span>{first}</span>
      <span>{last}</span>
    </span>
  );
}

const MARKS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** A tick for each of the eight hours. */
function Hours() {
  return (
    <span className={s.ticks}>
      {MARKS.map((hour) => (
        <i key={hour} className={hour % 4 === 0 ? s.long : undefined} />
      ))}
    </span>
  );
}

/** Paths of the parting strands, outermost last: from the end of the strand to the cord. */
const PARTED = [
  'M60 14C46 14 40 12 26 12H20',
  'M60 16C46 16 38 17 28 17H22',
  'M60 9C46 9 36 3 22 3H2',
  'M60 18C46 18 38 24 24 24H4',
  'M60 20C52 20 46 26 36 26H26',
];

/** End of the cord with parted strands. */
function Unwound({ adds }: { adds: Required<StrandAdds> }) {
  const active = STRANDS.filter((strand) => adds[strand] > 0);
  return (
    <svg className={s.unwound} style={{ width: rem(60), height: rem(28) }} viewBox="0 0 60 28" aria-hidden="true">
      {PARTED.map((path, index) => (
        <g key={path} fill="none" strokeLinecap="round">
          <path d={path} stroke="var(--y-gap)" strokeWidth="4.6" />
          <path d={path} stroke={`var(--y-${active[index % active.length] ?? 'base'})`} strokeWidth="3" />
        </g>
      ))}
    </svg>
  );
}
