import { useTexts } from '@cord/sdk';
import { remScale } from '@cord/ui';
import type { KeyboardEvent, MouseEvent } from 'react';
import s from './chart.module.css';
import { type ChartLayout, columnAt } from './layout';
import { spokenPeriod } from './period-names';
import { EARNINGS_TEXTS } from './texts';

interface ColumnPickerProps {
  layout: ChartLayout;
  chosen: number;
  onChoose(index: number): void;
  /** Opens the hours of a day: by a press on its column, or by Enter or Space. */
  onOpen(index: number, by: 'key' | 'press'): void;
  /** Switches to the table. */
  onTable(): void;
}

/** Step of Page Up and Down: a week of days, a quarter of months. */
const PAGE = { day: 7, month: 3 };

/** The chart's only tab stop: a slider over its days, for keys, press and tap. */
export function ColumnPicker({ layout, chosen, onChoose, onOpen, onTable }: ColumnPickerProps) {
  const t = useTexts(EARNINGS_TEXTS);
  const { columns } = layout;
  const last = columns.length - 1;
  const period = columns[chosen]?.period;
  const months = period?.key.length === 'yyyy-mm'.length;
  const page = months ? PAGE.month : PAGE.day;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: chosen - 1,
    ArrowDown: chosen - 1,
    ArrowRight: chosen + 1,
    ArrowUp: chosen + 1,
    PageDown: chosen - page,
    PageUp: chosen + page,
    Home: 0,
    End: last,
  };
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = targets[event.key];
    if (target !== undefined) onChoose(Math.max(0, Math.min(last, target)));
    else if (event.key.toLowerCase() === 't') onTable();
    else if (event.key === 'Enter' || event.key === ' ') onOpen(chosen, 'key');
    else return;
    event.preventDefault();
  };
  const tap = (event: MouseEvent<HTMLElement>) => {
    const x = (event.clientX - event.currentTarget.getBoundingClientRect().left) / remScale();
    onOpen(columnAt(layout, x), 'press');
  };
  return (
    <div
      className={s.picker}
      role="slider"
      tabIndex={0}
      aria-label={months ? t.monthPicker : t.dayPicker}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={chosen}
      aria-valuetext={period && spokenPeriod(period)}
      aria-description={months ? t.keysHelp : t.keysHelpDays}
      onKeyDown={press}
      onClick={tap}
    />
  );
}
