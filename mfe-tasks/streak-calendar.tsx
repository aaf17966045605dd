import { dateFormat, useTexts } from '@cord/sdk';
import { CordLine, cx, VisuallyHidden } from '@cord/ui';
import { Check, Pause, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { payText } from './pay-text';
import s from './streak-calendar.module.css';
import { type DayState, type Run, runsOf, type StreakDay } from './streak-days';
import { useStreakOpen } from './streak-link';
import { TEXTS } from './texts';

const ADDS = { base: 1, age: 2 };
const COLUMNS = 7;

const utc = { timeZone: 'UTC' } as const;
const weekday = dateFormat({ weekday: 'short', ...utc });
const dayName = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', ...utc });
const shortDate = dateFormat({ day: 'numeric', month: 'short', ...utc });

interface StreakCalendarProps {
  weeks: readonly StreakDay[][];
  /** In the check-in card: knots and cord only, without keyboard navigation. */
  small?: boolean;
}

/** Five weeks of check-ins as knots on a cord: a table, whose days have arrow-key navigation in the full view. */
export function StreakCalendar({ weeks, small = false }: StreakCalendarProps) {
  const t = useTexts(TEXTS);
  const days = weeks.flat();
  const under = useStreakOpen() && small;
  const grid = useRef<HTMLTableElement>(null);
  const today = days.findIndex(({ isToday }) => isToday);
  const [chosen, setChosen] = useState(today);
  const move = (event: KeyboardEvent) => {
    const to = target(event.key, chosen);
    if (to === null) return;
    event.preventDefault();
    if (to < 0 || to >= days.length) return;
    setChosen(to);
    grid.current?.querySelectorAll<HTMLElement>('td')[to]?.focus();
  };
  return (
    <table
      ref={grid}
      className={cx(s.weeks, small && s.small)}
      aria-label={t.fiveWeeks}
      data-testid={under ? undefined : 'streak-calendar'}
      data-value={days.filter(({ state }) => state === 'done').length}
      {...(small ? {} : { role: 'grid', onKeyDown: move })}
    >
      <thead>
        <tr>
          {weeks[0]?.map(({ key, startMs }, column) => (
            <th key={key} scope="col" className={cx(column === today % COLUMNS && s.current)}>
              {weekday.format(startMs)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, row) => (
          <tr key={week[0]?.key}>
            {week.map((day, column) => (
              <td
                key={day.key}
                className={cx(day.isToday && s.today, day.isToday && s.current)}
                {...(small
                  ? {}
                  : {
                      role: 'gridcell',
                      tabIndex: row * COLUMNS + column === chosen ? 0 : -1,
                      onFocus: () => setChosen(row * COLUMNS + column),
                    })}
              >
                <VisuallyHidden>{spoken(day)}</VisuallyHidden>
                {column === 0 && runsOf(weeks, row).map((run) => <Cord key={run.from} run={run} small={small} />)}
                <Day day={day} first={row === 0 && column === 0} small={small} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the target of a key: by day, by week, to the ends of the week. */
function target(key: string, from: number): number | null {
  const column = from % COLUMNS;
  const to: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from - COLUMNS,
    ArrowDown: from + COLUMNS,
    Home: from - column,
    End: from - column + COLUMNS - 1,
  };
  return to[key] ?? null;
}

/** Formats `Thursday 26 November, checked in, 140 CORD`. */
function spoken({ startMs, state, pays }: StreakDay): string {
  const t = TEXTS.get();
  const day = dayName.format(startMs);
  if (state === 'before') return day;
  const text = t.spokenDay({ day, state: t[`knot.${state}`] });
  return pays === null ? text : t.spokenPay({ day: text, amount: payText(pays) });
}

function Day({ day, first, small }: { day: StreakDay; first: boolean; small: boolean }) {
  const t = useTexts(TEXTS);
  const { startMs, state, pays, milestone } = day;
  const date = new Date(startMs).getUTCDate();
  return (
    <span className={s.day} aria-hidden="true">
      {!small && <span className={s.date}>{first || date === 1 ? shortDate.format(startMs) : date}</span>}
      <Knot state={state} />
      {!small && state !== 'before' && (
        <span className={s.note}>
          {pays !== null ? `+${payText(pays)}` : state === 'excused' ? t.excused : t.missed}
        </span>
      )}
      {!small && milestone !== null && <span className={s.milestone}>{t.daysOf({ count: milestone })}</span>}
    </span>
  );
}

/** A day on the cord: kept, today, missed, excused, future. */
export function Knot({ state }: { state: DayState }) {
  return (
    <span className={cx(s.knot, s[state])}>
      {state === 'done' && <Check />}
      {state === 'missed' && <X />}
      {state === 'excused' && <Pause />}
      {state === 'today' && <span className={s.dot} />}
    </span>
  );
}

/** The cord over a week, relative to the width of its first day. */
function Cord({ run, small }: { run: Run; small: boolean }) {
  const { from, to, fadesIn, fadesOut } = run;
  return (
    <span
      className={cx(s.cord, fadesIn && s.fadesIn, fadesOut && s.fadesOut)}
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      aria-hidden="true"
    >
      <CordLine thickness={small ? 8 : 12} adds={ADDS} />
    </span>
  );
}
