import { useMiningSession } from '@cord/sdk';
import { NodeBadge } from '@cord/ui';

/** The node's state beside its tab in the menu, while it runs or is paused. */
export function NodeAside() {
  const status = useMiningSession()?.status;
  if (status === 'active') return <NodeBadge state="online" />;
  if (status === 'paused') return <NodeBadge state="paused" />;
  return null;
}
