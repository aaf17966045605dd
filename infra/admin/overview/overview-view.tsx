import type { OperatorsOverview } from '@cord/contracts/http/overview';
import { dateFormat, isUnread, Loaded, useTexts } from '@cord/sdk';
import { Button, Card, Notice, Row, Skeleton, SkeletonRegion, Stack } from '@cord/ui';
import { CircleCheck, RefreshCw, RotateCw, TriangleAlert } from 'lucide-react';
import { Faults, Health, Streams } from './condition';
import { Figures } from './figures';
import { IssuedCard } from './issued-card';
import { OutagesCard } from './outages-card';
import s from './overview.module.css';
import { Queues } from './queues';
import { TEXTS } from './texts';
import { unusual } from './unusual';
import { useFigures, useHealth, useIssued, useOverview, usePayments } from './use-overview';

const moment = dateFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});

/** What is not as usual first, then what was issued, what waits, and how everything is. */
export default function OverviewView() {
  const t = useTexts(TEXTS);
  const overview = useOverview();
  const { data } = overview;
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{t.title}</h1>
        {data && (
          <Row as="p" gap={8} className="t-note" align="center">
            <RefreshCw size={16} aria-hidden="true" />
            <span data-number>{t.asOf({ time: moment.format(Date.parse(data.at)) })}</span>
          </Row>
        )}
      </Row>
      <Loaded query={overview} failed={t.failed} loading={LOADING} compact={false}>
        {(data) => <Seen overview={overview} data={data} />}
      </Loaded>
    </Stack>
  );
}

const LOADING = (
  <SkeletonRegion>
    <Stack gap={16}>
      <Skeleton height={104} />
      <Stack gap={16} className={s.columns}>
        <Skeleton height={392} />
        <Skeleton height={392} />
      </Stack>
    </Stack>
  </SkeletonRegion>
);

interface SeenProps {
  overview: ReturnType<typeof useOverview>;
  data: OperatorsOverview;
}

function Seen({ overview, data }: SeenProps) {
  const health = useHealth();
  const figures = useFigures();
  const month = useIssued('30d');
  const payments = usePayments();
  const services = health.data?.services ?? (isUnread(health) ? null : undefined);
  return (
    <>
      {overview.isError && <Stale retrying={overview.isFetching} onRetry={() => void overview.refetch()} />}
      <Unusual
        overview={data}
        services={services}
        issued={month.data}
        issuedFailed={isUnread(month)}
        known={services !== undefined && (month.data !== undefined || isUnread(month))}
      />
      <Figures overview={data} figures={figures.data} issued={month.data} />
      <Stack gap={16} className={s.columns}>
        <IssuedCard />
        <Queues overview={data} payments={payments.data} />
      </Stack>
      <Stack gap={16} className={s.condition}>
        <Health services={services} />
        <Streams streams={data.streams} />
        <Faults clientErrors={data.clientErrors} />
        <OutagesCard />
      </Stack>
    </>
  );
}

function Stale({ retrying, onRetry }: { retrying: boolean; onRetry: () => void }) {
  const t = useTexts(TEXTS);
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert aria-hidden="true" />}
      title={t.stale}
      action={
        <Button size="sm" icon={<RotateCw aria-hidden="true" />} loading={retrying} needsServer onClick={onRetry}>
          {t.retry}
        </Button>
      }
    />
  );
}

/** @param props.known everything has been requested by now, so that nothing unusual means that all is well */
function Unusual({ known, ...seen }: Parameters<typeof unusual>[0] & { known: boolean }) {
  const t = useTexts(TEXTS);
  const found = unusual(seen, t);
  if (found.length === 0 && !known) return null;
  return (
    <Card padding="none" className={s.unusual} data-testid="unusual">
      {found.length === 0 ? (
        <Row as="p" gap={12}>
          <CircleCheck size={20} aria-hidden="true" className="c-live" />
          {t.asUsual}
        </Row>
      ) : (
        <Stack as="ul" gap={8}>
          {found.map((sentence) => (
            <Row as="li" gap={12} key={sentence}>
              <TriangleAlert size={20} aria-hidden="true" className="c-warn" />
              {sentence}
            </Row>
          ))}
        </Stack>
      )}
    </Card>
  );
}
