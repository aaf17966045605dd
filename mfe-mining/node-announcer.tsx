import { useTexts } from '@cord/sdk';
import { VisuallyHidden } from '@cord/ui';
import { TEXTS } from './texts';
import type { Node } from './use-node';

/** Speaks when the node pauses or cannot be reached; start and stop are spoken by their toasts, ticking digits never. */
export function NodeAnnouncer({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  const text = node.phase === 'paused' ? t['announce.paused'] : node.phase === 'error' ? t['announce.error'] : '';
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}
