import { useTexts } from '@cord/sdk';
import { VisuallyHidden } from '@cord/ui';
import { TEXTS } from '../texts';
import type { Node } from './use-node';

/** Announces when the node cannot be reached; start, stop and pause are announced by the shell, ticking digits never. */
export function NodeAnnouncer({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  return <VisuallyHidden role="status">{node.phase === 'error' ? t['announce.error'] : ''}</VisuallyHidden>;
}
