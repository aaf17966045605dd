import type { IssuedOverTime, OperatorsOverview } from '@cord/contracts/http/overview';
import { dateFormat, formatDayKey, isUnread, Loaded, type TextsOf, useTexts } from '@cord/sdk';
import {
  Button,
  Card,
  formatCord,
  formatPercent,
  Notice,
  percentOf,
  Row,
  Skeleton,
  SkeletonRegion,
  Stack,
} from '@cord/ui';
import { CircleCheck, RefreshCw, RotateCw, TriangleAlert } from 'lucide-react';
import { textOr } from '../room/texts';
import { Faults, Health, Streams } from './condition';
import { Figures, Queues } from './figures';
import { IssuedCard } from './issued-card';
import { OutagesCard } from './outages-card';
import s from './overview.module.css';
import { TEXTS } from './texts';
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

/** Unusual states first, then issued CORD, queues, and the health of all parts. */
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
            <RefreshCw size={16} />
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
      icon={<TriangleAlert />}
      title={t.stale}
      action={
        <Button size="sm" icon={<RotateCw />} loading={retrying} needsServer onClick={onRetry}>
          {t.retry}
        </Button>
      }
    />
  );
}

/** @param props.known all reads have completed, so an empty list means that all is well */
function Unusual({ known, ...seen }: Parameters<typeof unusual>[0] & { known: boolean }) {
  const t = useTexts(TEXTS);
  const found = unusual(seen, t);
  if (found.length === 0 && !known) return null;
  return (
    <Card padding="none" className={s.unusual} data-testid="unusual">
      {found.length === 0 ? (
        <Row as="p" gap={12}>
          <CircleCheck size={20} className="c-live" />
          {t.asUsual}
        </Row>
      ) : (
        <Stack as="ul" gap={8}>
          {found.map((sentence) => (
            <Row as="li" gap={12} key={sentence}>
              <TriangleAlert size={20} className="c-warn" />
              {sentence}
            </Row>
          ))}
        </Stack>
      )}
    </Card>
  );
}

/** Fill level at which a stream should be enlarged, percent. */
const FULL_FROM_PERCENT = 80;

/** The reads so far: null if one failed, undefined while it loads. */
interface Known {
  overview: OperatorsOverview;
  services: Readonly<Record<string, string>> | null | undefined;
  issued: Pick<IssuedOverTime, 'audit' | 'root'> | undefined;
  /** The last read of `issued` failed; its value, if any, is from an earlier read. */
  issuedFailed: boolean;
}

/** Unusual states, one sentence each, most severe first. */
function unusual({ overview, services, issued, issuedFailed }: Known, t: TextsOf<typeof TEXTS>): string[] {
  const down = Object.entries(services ?? {}).filter(([, state]) => state !== 'ok');
  const { audit, root } = issued ?? {};
  const { deadLetters, parkedCredits, streams, switchesOff } = overview;
  return [
    ...(services === null ? [t.gatewayAway] : []),
    ...down.map(([service]) => t.serviceDown({ service })),
    ...(issuedFailed ? [t.issuedAway] : []),
    ...(audit && audit.drift !== 0 ? [t.drift({ amount: formatCord(audit.drift, { decimals: 6 }) })] : []),
    ...(root?.late ? [t.rootLate({ day: formatDayKey(root.day) })] : []),
    ...(parkedCredits.count > 0 ? [t.parked({ count: parkedCredits.count })] : []),
    ...parkedCredits.missing.map((service) => t.missing({ service })),
    ...(deadLetters === null ? [t.natsAway] : deadLetters > 0 ? [t.deadLetters({ count: deadLetters })] : []),
    ...streams
      .map(({ name, bytes, limitBytes }) => ({ name, percent: percentOf(bytes, limitBytes) }))
      .filter(({ percent }) => percent >= FULL_FROM_PERCENT)
      .map(({ name, percent }) => t.streamFull({ name, percent: formatPercent(percent) })),
    ...switchesOff.map((name) => t.switchOff({ name: textOr(t, `off.${name}`, name) })),
  ];
}
