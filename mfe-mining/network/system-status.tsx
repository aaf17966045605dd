import { formatWhen, isUnread, useQuery, useSdk, useTexts } from '@cord/sdk';
import { Badge, Card, formatAgo, Row, Skeleton, Stack, WarningBadge } from '@cord/ui';
import { Check, CircleHelp } from 'lucide-react';
import { savedAtMs } from '../node/node-view';
import type { Node } from '../node/use-node';
import { TEXTS } from '../texts';
import s from './system-status.module.css';

type Verdict = 'working' | 'down' | 'retrying' | 'unknown';

interface StatusRow {
  name: string;
  text: string;
  verdict: Verdict;
}

const CHECK_EVERY_MS = 30_000;

/** State of the services from the gateway, and of the page's own saves; no badge is static. */
export function SystemStatus({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  const { api, clock } = useSdk();
  const read = useQuery({
    queryKey: ['health'],
    queryFn: () => api.health(),
    refetchInterval: CHECK_EVERY_MS,
    staleTime: CHECK_EVERY_MS,
    retry: false,
  });
  const { data, dataUpdatedAt, errorUpdatedAt } = read;
  const checkedMs = Math.max(dataUpdatedAt, errorUpdatedAt);
  // By the server's clock, like the other times: the device's may be wrong.
  const nowMs = clock.now();
  const when = formatWhen(nowMs - (Date.now() - checkedMs), nowMs);
  const services = isUnread(read) ? undefined : data?.services;
  const rows = [
    serviceRow(services, 'mining', t.systemAccrual, t.systemAccrualOk, t.systemAccrualDown),
    savingRow(node),
    serviceRow(services, 'tasks', t.systemTasks),
    serviceRow(services, 'leaderboard', t.systemRankings),
    serviceRow(services, 'rewards', t.systemWallet),
  ];
  const checked = checkedMs === 0 ? undefined : t.systemChecked({ time: when });
  return (
    <Card title={t.systemTitle} aside={checked}>
      {data === undefined && !isUnread(read) ? (
        <Skeleton height={260} />
      ) : (
        <Stack as="ul" className="l-lines">
          {rows.map((row) => (
            <Row as="li" gap={12} align="center" between key={row.name} className={s.row}>
              <div>
                <p className="t-strong">{row.name}</p>
                <p className={s.text}>{row.text}</p>
              </div>
              <VerdictBadge verdict={row.verdict} />
            </Row>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function serviceRow(
  services: Readonly<Record<string, string>> | undefined,
  service: string,
  name: string,
  okText?: string,
  downText?: string,
): StatusRow {
  const t = TEXTS.get();
  const state = services?.[service];
  if (state === undefined) return { name, text: t.systemUnknownText, verdict: 'unknown' };
  if (state !== 'ok') return { name, text: downText ?? t.systemDownText, verdict: 'down' };
  return { name, text: okText ?? t.systemOk, verdict: 'working' };
}

function savingRow(node: Node): StatusRow {
  const t = TEXTS.get();
  const name = t.systemSaving;
  const saved = savedAtMs(node);
  if (node.save.failures > 0) {
    return { name, text: t.systemSavingFailed({ count: node.save.failures }), verdict: 'retrying' };
  }
  if (saved === null || node.phase !== 'running') return { name, text: t.systemSavingIdle, verdict: 'working' };
  return { name, text: t.systemSavingOk({ ago: formatAgo(node.nowMs - saved) }), verdict: 'working' };
}

function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useTexts(TEXTS);
  if (verdict === 'working') {
    return (
      <Badge tone="live" icon={<Check size={16} />}>
        {t.systemWorking}
      </Badge>
    );
  }
  if (verdict === 'unknown') {
    return <Badge icon={<CircleHelp size={16} />}>{t.systemUnknown}</Badge>;
  }
  return <WarningBadge>{verdict === 'retrying' ? t.systemRetrying : t.systemDown}</WarningBadge>;
}
