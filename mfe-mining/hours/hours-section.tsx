import type { HoursOfDay } from '@cord/contracts/http/hours';
import { Loaded, useTexts } from '@cord/sdk';
import {
  Button,
  Card,
  type Column,
  cx,
  formatCord,
  IconButton,
  LinkButton,
  Notice,
  Row,
  SkeletonRegion,
  Table,
} from '@cord/ui';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { hoursName, longName } from '../earnings/period-names';
import type { Period } from '../earnings/periods';
import { sumOf } from '../earnings/sources';
import { type Hour, hourName, missingName, textsOf, UTC_CLOCK } from './hour-format';
import s from './hours.module.css';
import { HOURS_TEXTS } from './texts';
import { useHours } from './use-hours';
import type { OpenHours } from './use-open-hours';

interface HoursSectionProps {
  periods: readonly Period[];
  /** Index of the selected period. */
  chosen: number;
  onChoose(index: number): void;
  hours: OpenHours;
}

/** Explains the earnings of each hour of the selected day. */
export function HoursSection({ periods, chosen, onChoose, hours }: HoursSectionProps) {
  const t = useTexts(HOURS_TEXTS);
  const { isOpen, heading, toggle } = hours;
  const period = periods[chosen];
  if (period === undefined) return null;
  const day = longName(period);
  return (
    <Card padding="none" aria-label={t.title} data-testid="hours">
      <Row as="header" gap={12} align="center" between className={s.head}>
        <h2 ref={heading} tabIndex={-1} className={cx('t-h2', s.title)}>
          {t.title}
        </h2>
        <Button
          size="sm"
          aria-expanded={isOpen}
          aria-label={isOpen ? t.hideOf({ day }) : t.showOf({ day })}
          onClick={toggle}
        >
          {isOpen ? t.hide : t.show}
        </Button>
      </Row>
      {isOpen && (
        <>
          <Row gap={12} align="center" between className={s.days}>
            <IconButton
              label={t.earlier}
              icon={<ChevronLeft />}
              aria-disabled={chosen === 0}
              onClick={() => onChoose(Math.max(0, chosen - 1))}
            />
            <h3 className={s.day} aria-live="polite">
              {day}
            </h3>
            <IconButton
              label={t.later}
              icon={<ChevronRight />}
              aria-disabled={chosen === periods.length - 1}
              onClick={() => onChoose(Math.min(periods.length - 1, chosen + 1))}
            />
          </Row>
          <Hours key={period.key} day={period.key} name={day} />
        </>
      )}
    </Card>
  );
}

function Hours({ day, name }: { day: string; name: string }) {
  const t = useTexts(HOURS_TEXTS);
  const query = useHours(day);
  const loading = <SkeletonRegion label={t.loading} className={s.inside} heights={[960]} />;
  return (
    <Loaded query={query} failed={t.failed} failedText={t.failedText} loading={loading}>
      {(answer) => (
        <>
          <Intro answer={answer} />
          <Missing answer={answer} onRetry={() => void query.refetch()} />
          <HoursTable hours={answer.hours} name={name} />
        </>
      )}
    </Loaded>
  );
}

function Intro({ answer: { hours } }: { answer: HoursOfDay }) {
  const t = useTexts(HOURS_TEXTS);
  const ranMs = hours.reduce((sum, hour) => sum + hour.ranMs, 0);
  const amount = formatCord(sumOf(hours.map(({ mined }) => mined)));
  return <p className={s.intro}>{t.intro({ ran: hoursName(ranMs), amount })}</p>;
}

/** Lists the reasons that the response lacks. */
function Missing({ answer: { unknown }, onRetry }: { answer: HoursOfDay; onRetry(): void }) {
  const t = useTexts(HOURS_TEXTS);
  if (unknown.length === 0) return null;
  return (
    <div className={s.inside}>
      <Notice
        look="inline"
        tone="warn"
        title={t.missing({ what: missingName(unknown) })}
        action={<LinkButton onClick={onRetry}>{t.again}</LinkButton>}
      />
    </div>
  );
}

function HoursTable({ hours, name }: { hours: readonly Hour[]; name: string }) {
  const t = useTexts(HOURS_TEXTS);
  const columns: Column<Hour>[] = [
    { key: 'hour', head: t.hour, cell: hourName, names: true },
    { key: 'why', head: t.why, cell: (hour) => <Why hour={hour} /> },
    { key: 'mined', head: t.mined, cell: (hour) => <Mined hour={hour} />, align: 'right' },
  ];
  return (
    <Table
      caption={`${t.title}, ${name}`}
      columns={columns}
      rows={hours}
      rowKey={({ from }) => from}
      className={s.table}
    />
  );
}

function Why({ hour }: { hour: Hour }) {
  return textsOf(hour, UTC_CLOCK).map((text) => <p key={text}>{text}</p>);
}

/** A dash when mining was impossible: before the account existed, and in the future. */
function Mined({ hour: { mined: cord, parts } }: { hour: Hour }) {
  const isBlank = cord === 0 && parts.every(({ state }) => state === 'to-come' || state === 'before-joined');
  if (isBlank) return <span className={s.zero}>–</span>;
  return cord === 0 ? <span className={s.zero}>0</span> : <span data-number>{formatCord(cord)}</span>;
}
