import * as miningEndpoints from '@cord/contracts/addresses/mining';
import {
  formatDate,
  formatTime,
  formatWhen,
  isUnread,
  keepPreviousData,
  LIVE_SOON_MS,
  useQuery,
  useSdk,
  useTexts,
  useUserId,
} from '@cord/sdk';
import { Cell, Cells, formatDuration, StatusDot, UNKNOWN, WhyPopover } from '@cord/ui';
import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react';
import { levelName, networkText } from '../network/network-format';
import { useSecurity } from '../network/use-security';
import { TEXTS } from '../texts';
import { pausedAt } from './node-view';
import { nodeStatsKey } from './start-node';
import type { Node } from './use-node';

/** Node status, total uptime and security level. */
export function NodeFacts({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  return (
    <Cells columns={3} phoneColumns={1}>
      <Cell label={t.nodeStatus} value={statusText(node)} mark={<StatusMark node={node} />} hint={sinceText(node)} />
      <TotalUptime node={node} />
      <SecurityLevel />
    </Cells>
  );
}

function statusText({ phase }: Node): string | undefined {
  return phase === 'loading' ? undefined : TEXTS.get()[`statusOf.${phase}`];
}

function StatusMark({ node: { phase, lostAtMs } }: { node: Node }) {
  if (lostAtMs !== null) return <StatusDot tone="off" />;
  if (phase === 'running' || phase === 'stopping') return <StatusDot />;
  if (phase === 'paused') return <StatusDot tone="warn" />;
  return <StatusDot tone={phase === 'error' ? 'danger' : 'off'} />;
}

function sinceText(node: Node): string | undefined {
  const t = TEXTS.get();
  const { phase, session, nowMs } = node;
  if (phase === 'loading' || (phase === 'error' && session === null)) return undefined;
  if (node.lostAtMs !== null) return t.knownAt({ time: formatTime(node.lostAtMs) });
  if (phase === 'paused') return t.since({ when: pausedAt(node) });
  if (session === null || phase === 'starting') return t.notRunning;
  return t.since({ when: formatWhen(Date.parse(session.startedAt), nowMs) });
}

/** Node time of all sessions: the server's sum plus the running session since. */
function TotalUptime({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  const { api } = useSdk();
  const userId = useUserId();
  const read = useQuery({
    // The sum changes with a session started elsewhere, or one that paused in the background.
    queryKey: [...nodeStatsKey(userId ?? ''), node.session?.id ?? null, node.phase === 'paused'],
    meta: { live: { node: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(miningEndpoints.stats, { signal }),
    enabled: userId !== null,
    placeholderData: keepPreviousData,
  });
  const { data } = read;
  // A sum from before the node stopped lacks its last stretch.
  if (data === undefined || (data.isActive && node.phase === 'idle'))
    return <Cell label={t.totalUptime} value={isUnread(read) ? UNKNOWN : undefined} />;
  const untilMs = node.session === null ? node.nowMs : Date.parse(node.session.startedAt) + node.uptimeMs;
  const sinceMs = data.isActive ? Math.max(0, untilMs - Date.parse(data.serverTime)) : 0;
  const first = data.firstStartedAt;
  return (
    <Cell
      label={t.totalUptime}
      value={formatDuration(data.totalUptime * 1_000 + sinceMs)}
      info={<WhyPopover about={t.totalUptime}>{t.whyTotalUptime}</WhyPopover>}
      hint={first === null ? t.neverRun : t.since({ when: formatDate(Date.parse(first)) })}
    />
  );
}

function SecurityLevel() {
  const t = useTexts(TEXTS);
  const read = useSecurity();
  const { data } = read;
  const info = <WhyPopover about={t.securityLevel}>{t.whySecurity}</WhyPopover>;
  if (data === undefined) {
    return (
      <Cell
        label={t.securityLevel}
        value={isUnread(read) ? UNKNOWN : undefined}
        info={info}
        mark={<Shield size={20} />}
      />
    );
  }
  const Icon = data.isFlagged ? ShieldAlert : ShieldCheck;
  return (
    <Cell
      label={t.securityLevel}
      value={levelName(t, data)}
      mark={<Icon size={20} />}
      hint={networkText(t, data)}
      info={info}
    />
  );
}
