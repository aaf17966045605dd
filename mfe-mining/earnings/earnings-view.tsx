import type { EarningsRange } from '@cord/contracts/http/mining';
import { type PartProps, usePageTitle, useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import { AsLeft } from '@cord/sdk/views';
import { BackButton, Card, ChipGroup, Row, Skeleton, ViewPage, VisuallyHidden } from '@cord/ui';
import { Info } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { HoursSection } from '../hours/hours-section';
import { useOpenHours } from '../hours/use-open-hours';
import { BySource } from './by-source';
import { EarningsChart } from './chart';
import { ChosenPeriod } from './chosen-period';
import { ColumnPicker } from './column-picker';
import { EarningsTable } from './earnings-table';
import s from './earnings-view.module.css';
import { epochName } from './epochs';
import { Figures } from './figures';
import { FORMS, type Form, FormChoice } from './form-choice';
import { Joined } from './joined';
import { RANGES, shortName } from './period-names';
import { Empty, Failed, LastKnown, LoadingBars } from './states';
import { EARNINGS_TEXTS } from './texts';
import { type Earnings, type EarningsState, useEarnings } from './use-earnings';

/** Order of the choices; the default is the first of RANGES. */
const OFFERED: readonly EarningsRange[] = ['7d', '30d', '12m'];

/** The full view of the earnings: `?tab=dashboard&view=earnings`, with range, form and selected day in the address. */
export function EarningsView(_props: PartProps) {
  const t = useTexts(EARNINGS_TEXTS);
  usePageTitle(t.title);
  const view = useTabView('view');
  const [range, setRange] = useTabChoice('range', RANGES);
  const [form, setForm] = useTabChoice('as', FORMS);
  const [, setDay] = useTabParam('day');
  const state = useEarnings(range);
  const choose = (next: EarningsRange) => {
    setDay(null);
    setRange(next);
  };
  return (
    <>
      <EarningsLeft />
      <ViewPage className={s.view} testId="earnings-view">
        <BackButton onClick={view.close}>{t.back}</BackButton>
        <Row as="header" gap="2px 12px" align="center" wrap className={s.head}>
          <h1 className="t-h1">{t.title}</h1>
          <LastKnown state={state} />
          <p className={s.subtitle}>{range === '12m' ? t.subtitleMonths : t.subtitle}</p>
        </Row>
        <Row gap={12} align="center" between wrap>
          <ChipGroup
            label={t.rangeLabel}
            value={range}
            options={OFFERED.map((value) => ({ value, label: t[`range.${value}`] }))}
            onChange={choose}
          />
          <FormChoice value={form} onChange={setForm} />
        </Row>
        <Body key={range} range={range} state={state} />
      </ViewPage>
    </>
  );
}

/** Restores range and selected day. */
function EarningsLeft() {
  const t = useTexts(EARNINGS_TEXTS);
  const [range] = useTabChoice('range', RANGES);
  const kept = { range: useTabParam('range'), day: useTabParam('day') };
  const [day] = kept.day;
  const startMs = Date.parse(day ?? '');
  return (
    <AsLeft
      place="earnings"
      kept={kept}
      chosen={[
        range !== RANGES[0] && t[`range.${range}`],
        day !== null && !Number.isNaN(startMs) && shortName({ key: day, startMs }),
      ]}
    />
  );
}

function Body({ range, state }: { range: EarningsRange; state: EarningsState }) {
  const { earnings } = state;
  if (earnings === null) return state.failed ? <Failed state={state} /> : <Loading />;
  return <Filled range={range} earnings={earnings} />;
}

/** The earnings, and the reasons in each hour of the selected day. */
function Filled({ range, earnings }: { range: EarningsRange; earnings: Earnings }) {
  const [day, setDay] = useTabParam('day');
  const hours = useOpenHours();
  const { periods, answer } = earnings;
  const found = periods.findIndex(({ key }) => key === day);
  const chosen = found === -1 ? periods.length - 1 : found;
  const choose = (index: number) => setDay(index === periods.length - 1 ? null : (periods[index]?.key ?? null));
  const byDay = answer.unit === 'day';
  const open: ChosenPlace['onOpen'] = (index, by) => {
    choose(index);
    if (byDay) hours.leadTo(by);
  };
  return (
    <>
      {answer.total === 0 ? (
        <Card>
          <Empty range={range} />
        </Card>
      ) : (
        <>
          <Figures earnings={earnings} />
          <Shown earnings={earnings} chosen={chosen} onChoose={choose} onOpen={open} />
        </>
      )}
      {byDay && <HoursSection periods={periods} chosen={chosen} onChoose={choose} hours={hours} />}
      {byDay && answer.total > 0 && <Note earnings={earnings} />}
    </>
  );
}

/** The selected column, with handlers. */
interface ChosenPlace {
  chosen: number;
  onChoose(index: number): void;
  onOpen(index: number, by: 'key' | 'press'): void;
}

function Loading() {
  return (
    <>
      <Skeleton height={112} card />
      <Card>
        <LoadingBars tall />
      </Card>
    </>
  );
}

/** Chart or table; under the chart the table is there for screen readers. */
function Shown({ earnings, chosen, onChoose, onOpen }: { earnings: Earnings } & ChosenPlace) {
  const t = useTexts(EARNINGS_TEXTS);
  const [form, setForm] = useTabChoice('as', FORMS);
  const table = useRef<HTMLElement>(null);
  const chart = useRef<HTMLDivElement>(null);
  const byKey = useRef(false);
  useEffect(() => {
    const place = form === 'table' ? table.current : chart.current?.querySelector<HTMLElement>('[role=slider]');
    if (byKey.current) place?.focus({ preventScroll: true });
    byKey.current = false;
  }, [form]);
  const showByKey = (next: Form) => {
    byKey.current = true;
    setForm(next);
  };
  const period = earnings.periods[chosen];
  if (form === 'table') {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: a key of the whole table, which the choice above it offers as well
      <div
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey || event.key.toLowerCase() !== 't') return;
          event.preventDefault();
          showByKey('chart');
        }}
      >
        <Card padding="none">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is to be reached by keyboard */}
          <section ref={table} className={s.scroll} aria-label={t.title} tabIndex={0}>
            <EarningsTable earnings={earnings} />
          </section>
        </Card>
        <p className={s.turn}>{t.turnPhone}</p>
      </div>
    );
  }
  return (
    <Card padding="none" className={s.panel}>
      <div className={s.chart} ref={chart}>
        <Joined earnings={earnings} className={s.joined} />
        <EarningsChart earnings={earnings} size="view" chosen={chosen}>
          {(layout) => (
            <ColumnPicker
              layout={layout}
              chosen={chosen}
              onChoose={onChoose}
              onOpen={onOpen}
              onTable={() => showByKey('table')}
            />
          )}
        </EarningsChart>
        <VisuallyHidden>
          <EarningsTable earnings={earnings} readerOnly />
        </VisuallyHidden>
      </div>
      <div className={s.side}>
        <BySource earnings={earnings} />
        {period && <ChosenPeriod period={period} />}
      </div>
    </Card>
  );
}

/** Explains what the columns are based on. */
function Note({ earnings: { epochs } }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const first = epochs.find(({ factor }) => factor > 1);
  return (
    <Row as="p" gap={8} className="t-note t-icon">
      <Info size={16} />
      {first ? t.note({ epoch: epochName(first) }) : t.noteWithoutEpoch}
    </Row>
  );
}
