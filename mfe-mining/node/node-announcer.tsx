import { useTexts } from '@cord/sdk';
import { VisuallyHidden } from '@cord/ui';
import { TEXTS } from '../texts';
import type { Node } from './use-node';

/** Announces when the node cannot be reached. `NodeAnnouncements` covers start, stop and pause; ticking digits are never announced. */
export function NodeAnnouncer({ node }: { node: Node }) {
  const t = useTexts(TEXTS);
  return <VisuallyHidden role="status">{node.phase === 'error' ? t['announce.error'] : ''}</VisuallyHidden>;
}
