import { VisuallyHidden } from '@cord/ui';
import { TEXTS } from './texts';
import type { Node } from './use-node';

/** Speaks when the node pauses or cannot be reached; start and stop are spoken by their toasts, ticking digits never. */
export function NodeAnnouncer({ node }: { node: Node }) {
  const text = node.phase === 'paused' ? TEXTS.announce.paused : node.phase === 'error' ? TEXTS.announce.error : '';
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}
