import { useTexts } from '@cord/sdk';
import { CordLine, cx, VisuallyHidden } from '@cord/ui';
import { Check, X } from 'lucide-react';
import s from './checkin-cord.module.css';
import { TEXTS } from './texts';

export type KnotState = 'done' | 'today' | 'missed' | 'next';

export interface Knot {
  /** Stable: the day, 2026-11-21. */
  key: string;
  /** Under the knot: "Wed", "Today". */
  label: string;
  /** Under the label: "+100", "Missed". */
  note: string;
  state: KnotState;
  /** The day of today is bold, also when it is done. */
  isToday?: boolean | undefined;
}

interface CheckinCordProps {
  /** Oldest first; seven as a rule. */
  knots: readonly Knot[];
}

const ADDS = { base: 1, age: 2 };

/** Days as knots on a cord: done, today, missed on a parted cord, next. Words under each. */
export function CheckinCord({ knots }: CheckinCordProps) {
  const t = useTexts(TEXTS);
  return (
    <ol className={s.knots} aria-label={t.week}>
      {knots.map((knot, index) => {
        const before = knots[index - 1];
        return (
          <li key={knot.key} className={cx(s.item, (knot.isToday || knot.state === 'today') && s.current)}>
            {before && <Segment from={before.state} to={knot.state} />}
            <span className={cx(s.knot, s[knot.state])} aria-hidden="true">
              {knot.state === 'done' && <Check />}
              {knot.state === 'missed' && <X />}
              {knot.state === 'today' && <span className={s.dot} />}
            </span>
            <span className={s.label}>{knot.label}</span>
            <span className={s.note}>{knot.note}</span>
            <VisuallyHidden>, {t[`knot.${knot.state}`]}</VisuallyHidden>
          </li>
        );
      })}
    </ol>
  );
}

/** The cord between two days: whole between kept ones, parted towards a missed one, none towards the next. */
function Segment({ from, to }: { from: KnotState; to: KnotState }) {
  const kept = (state: KnotState) => state === 'done' || state === 'today';
  if (kept(from) && kept(to)) return <Piece />;
  if (kept(from) && to === 'missed') return <Piece className={s.leaving} parted="end" />;
  if (from === 'missed' && kept(to)) return <Piece className={s.arriving} parted="start" />;
  return null;
}

function Piece({ className, parted }: { className?: string | undefined; parted?: 'start' | 'end' | undefined }) {
  return (
    <span className={cx(s.cord, className)} aria-hidden="true">
      <CordLine thickness={12} adds={ADDS} parted={parted} />
    </span>
  );
}
