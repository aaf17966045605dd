import { useQuery, useSdk } from '@cord/sdk';
import { Badge, Card, formatAgo, Skeleton, WarningBadge } from '@cord/ui';
import { Check, CircleHelp } from 'lucide-react';
import { savedAtMs } from './node-view';
import s from './system-status.module.css';
import { TEXTS } from './texts';
import type { Node } from './use-node';
import { formatWhen } from './when';

type Verdict = 'working' | 'down' | 'retrying' | 'unknown';

interface StatusRow {
  name: string;
  text: string;
  verdict: Verdict;
}

const CHECK_EVERY_MS = 30_000;

/** The services as the gateway finds them, and the page's own saves; nothing in here is a fixed badge. */
export function SystemStatus({ node }: { node: Node }) {
  const { api } = useSdk();
  const { data, isError, isPending, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: ['health'],
    queryFn: () => api.health(),
    refetchInterval: CHECK_EVERY_MS,
    staleTime: CHECK_EVERY_MS,
    retry: false,
  });
  const checkedMs = Math.max(dataUpdatedAt, errorUpdatedAt);
  const services = isError ? undefined : data?.services;
  const rows = [
    serviceRow(services, 'mining', TEXTS.systemAccrual, TEXTS.systemAccrualOk, TEXTS.systemAccrualDown),
    savingRow(node),
    serviceRow(services, 'tasks', TEXTS.systemTasks),
    serviceRow(services, 'leaderboard', TEXTS.systemRankings),
    serviceRow(services, 'rewards', TEXTS.systemWallet),
  ];
  const checked = isPending ? undefined : TEXTS.systemChecked(formatWhen(checkedMs, Date.now()));
  return (
    <Card title={TEXTS.systemTitle} aside={checked}>
      {isPending ? (
        <Skeleton height={260} />
      ) : (
        <ul className={s.rows}>
          {rows.map((row) => (
            <li key={row.name} className={s.row}>
              <div>
                <p className={s.name}>{row.name}</p>
                <p className={s.text}>{row.text}</p>
              </div>
              <VerdictBadge verdict={row.verdict} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function serviceRow(
  services: Readonly<Record<string, string>> | undefined,
  service: string,
  name: string,
  okText: string = TEXTS.systemOk,
  downText: string = TEXTS.systemDownText,
): StatusRow {
  const state = services?.[service];
  if (state === undefined) return { name, text: TEXTS.systemUnknownText, verdict: 'unknown' };
  return state === 'ok' ? { name, text: okText, verdict: 'working' } : { name, text: downText, verdict: 'down' };
}

function savingRow(node: Node): StatusRow {
  const name = TEXTS.systemSaving;
  const saved = savedAtMs(node);
  if (node.save.failures > 0) {
    return { name, text: TEXTS.systemSavingFailed(node.save.failures), verdict: 'retrying' };
  }
  if (saved === null || node.phase !== 'running') return { name, text: TEXTS.systemSavingIdle, verdict: 'working' };
  return { name, text: TEXTS.systemSavingOk(formatAgo(node.nowMs - saved)), verdict: 'working' };
}

function VerdictBadge({ verdict }: { verdict: Verdict }) {
  if (verdict === 'working') {
    return (
      <Badge tone="live" icon={<Check size={16} aria-hidden="true" />}>
        {TEXTS.systemWorking}
      </Badge>
    );
  }
  if (verdict === 'unknown') {
    return <Badge icon={<CircleHelp size={16} aria-hidden="true" />}>{TEXTS.systemUnknown}</Badge>;
  }
  return <WarningBadge>{verdict === 'retrying' ? TEXTS.systemRetrying : TEXTS.systemDown}</WarningBadge>;
}
