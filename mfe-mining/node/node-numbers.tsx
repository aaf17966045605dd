import { useTexts } from '@cord/sdk';
import { formatMultiplier, WarningBadge, WhyPopover } from '@cord/ui';
import { useSecurity } from '../network/use-security';
import type { RateView } from '../rate/rate-view';
import { RateWhy } from '../rate/rate-why';
import { TEXTS } from '../texts';
import { NodeStatus } from './node-status';
import { lostText } from './node-view';
import type { Node } from './use-node';

interface NodeNumbersProps {
  node: Node;
  rate: RateView | null;
  look: 'page' | 'card';
}

/** Rate, uptime, hash rate and efficiency, each with its "Why this number?". */
export function NodeNumbers({ node, rate, look }: NodeNumbersProps) {
  const t = useTexts(TEXTS);
  const page = look === 'page';
  const known = node.phase !== 'loading' && !(node.phase === 'error' && node.session === null);
  return (
    <NodeStatus
      look={look}
      rate={rate?.perMinute ?? null}
      uptimeMs={known ? node.uptimeMs : null}
      efficiency={node.session?.efficiency ?? null}
      hashRate={node.session?.hashRate ?? null}
      labels={{
        rate: t.currentRate,
        uptime: page ? t.uptime : t.activeTime,
        efficiency: t.efficiency,
        hashRate: t.hashRate,
      }}
      whyRate={rate && <RateWhy rate={rate} />}
      whyUptime={<WhyPopover about={page ? t.uptime : t.activeTime}>{t.whyUptime}</WhyPopover>}
      whyEfficiency={<WhyPopover about={t.efficiency}>{t.whyEfficiency}</WhyPopover>}
      whyHashRate={<WhyPopover about={t.hashRate}>{t.whyHashRate}</WhyPopover>}
      efficiencyHint={page ? <EfficiencyHint node={node} /> : undefined}
    />
  );
}

/** Loss of the session with its reason beside the factor. */
function EfficiencyHint({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  const { data: security } = useSecurity();
  if (node.session === null) return null;
  const penalty = node.session.factors.antiCheat;
  if (penalty < 1) {
    const factor = formatMultiplier(penalty);
    const count = security?.totalUsersOnIp;
    return (
      <WarningBadge>{count === undefined ? t.penalty({ factor }) : t.penaltyShared({ count, factor })}</WarningBadge>
    );
  }
  return lostText(node) ?? t.allCredited;
}
