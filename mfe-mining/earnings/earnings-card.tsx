import { type PartProps, useTabView, useTexts } from '@cord/sdk';
import { Card, formatCord, Link, Row, Skeleton, VisuallyHidden } from '@cord/ui';
import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import { SourceKey } from './by-source';
import { EarningsChart } from './chart';
import s from './earnings-card.module.css';
import { EarningsTable } from './earnings-table';
import { AverageWhy, BestWhy, TotalWhy } from './figures';
import { Joined } from './joined';
import { Empty, Failed, LastKnown, LoadingBars } from './states';
import { EARNINGS_TEXTS } from './texts';
import { type Earnings, type EarningsState, useEarnings } from './use-earnings';

const RANGE = '30d';
/** Name of the full view in the address. */
const VIEW = 'earnings';

/** Earnings of thirty days on the dashboard, with a link to the full view. */
export function EarningsCard(_props: PartProps) {
  const t = useTexts(EARNINGS_TEXTS);
  const view = useTabView('view');
  const state = useEarnings(RANGE);
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    view.open(VIEW);
  };
  return (
    <Card className={s.card} aria-label={t.title}>
      <Row as="header" gap="4px 16px" align="center" wrap>
        <div>
          <h2 className="t-h2">{t.title}</h2>
          <p className="t-note">{t.cardSubtitle({ range: t[`range.${RANGE}`] })}</p>
        </div>
        <LastKnown state={state} />
        <Link href={view.hrefOf(VIEW)} className={s.open} onClick={follow} data-testid="open-earnings">
          {t.open}
        </Link>
      </Row>
      <Body state={state} />
    </Card>
  );
}

function Body({ state }: { state: EarningsState }) {
  const { earnings } = state;
  if (earnings === null) {
    if (state.failed) return <Failed state={state} />;
    return (
      <>
        <Skeleton width={280} height={48} />
        <LoadingBars />
      </>
    );
  }
  if (earnings.answer.total === 0) return <Empty range={RANGE} />;
  return <Filled earnings={earnings} />;
}

function Filled({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { answer } = earnings;
  return (
    <>
      <div className={s.figures}>
        <dl className={s.list}>
          <Figure label={t.total} value={answer.total} why={<TotalWhy earnings={earnings} />} testId="earnings-total" />
          <Figure label={t['average.day']} value={answer.average} why={<AverageWhy earnings={earnings} />} />
          <Figure label={t['best.day']} value={answer.best?.total} why={<BestWhy earnings={earnings} />} />
        </dl>
        <Joined earnings={earnings} className={s.joined} />
      </div>
      <EarningsChart earnings={earnings} size="card" />
      <VisuallyHidden>
        <EarningsTable earnings={earnings} readerOnly />
      </VisuallyHidden>
      <SourceKey earnings={earnings} />
    </>
  );
}

interface FigureProps {
  label: string;
  value: number | undefined;
  why: ReactNode;
  testId?: string;
}

function Figure({ label, value, why, testId }: FigureProps) {
  const number = formatCord(value);
  return (
    <div className={s.figure} style={{ '--chars': number.length } as CSSProperties}>
      <dt className="t-name">
        {label}
        {why}
      </dt>
      <dd className="t-n24" data-number data-testid={testId} data-value={value}>
        {number}
      </dd>
    </div>
  );
}
