import { formatMultiplier, NodeStatus, WarningBadge, WhyPopover } from '@cord/ui';
import { lostText } from './node-view';
import type { RateView } from './rate-view';
import { RateWhy } from './rate-why';
import { TEXTS } from './texts';
import type { Node } from './use-node';
import { useSecurity } from './use-security';

interface NodeNumbersProps {
  node: Node;
  rate: RateView | null;
  look: 'page' | 'card';
}

/** Rate, uptime, hash rate and efficiency, each with its "Why this number?". */
export function NodeNumbers({ node, rate, look }: NodeNumbersProps) {
  const page = look === 'page';
  const known = node.phase !== 'loading' && !(node.phase === 'error' && node.session === null);
  return (
    <NodeStatus
      look={look}
      rate={rate?.rate ?? null}
      uptimeMs={known ? node.uptimeMs : null}
      efficiency={node.session?.efficiency ?? null}
      hashRate={node.session?.hashRate ?? null}
      labels={{
        rate: TEXTS.currentRate,
        uptime: page ? TEXTS.uptime : TEXTS.activeTime,
        efficiency: TEXTS.efficiency,
        hashRate: TEXTS.hashRate,
      }}
      whyRate={rate && <RateWhy rate={rate} />}
      whyEfficiency={<WhyPopover about={TEXTS.efficiency}>{TEXTS.whyEfficiency}</WhyPopover>}
      whyHashRate={<WhyPopover about={TEXTS.hashRate}>{TEXTS.whyHashRate}</WhyPopover>}
      efficiencyHint={page ? <EfficiencyHint node={node} /> : undefined}
    />
  );
}

/** What the session lost and why: the reason stands beside the factor. */
function EfficiencyHint({ node }: { node: Node }) {
  const { data: security } = useSecurity();
  if (node.session === null) return null;
  const penalty = node.session.factors.antiCheat;
  if (penalty < 1) {
    const accounts = security?.totalUsersOnIp ?? null;
    return <WarningBadge>{TEXTS.penalty(accounts, formatMultiplier(penalty))}</WarningBadge>;
  }
  return lostText(node) ?? TEXTS.allCredited;
}
