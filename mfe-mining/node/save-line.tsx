import { cx, formatAgo, Row } from '@cord/ui';
import { CloudAlert, CloudUpload } from 'lucide-react';
import { TEXTS } from '../texts';
import { retryIn, savedAtMs } from './node-view';
import type { Node } from './use-node';

/** State of the saves, or the most important fact on the node. */
export function SaveLine({ node, brief = false }: { node: Node; brief?: boolean }) {
  const failing = node.save.failures > 0 && (node.phase === 'running' || node.phase === 'error');
  const Icon = failing ? CloudAlert : CloudUpload;
  const text = brief ? briefText(node, failing) : fullText(node, failing);
  if (node.lostAtMs !== null && node.phase !== 'loading') return <p className="t-hint">{TEXTS.get().waits}</p>;
  if (text === null) return null;
  return (
    <Row as="p" gap={8} align="center" className={cx('t-hint', failing && 'c-warn')}>
      {!brief && <Icon size={18} />}
      <span>{text}</span>
    </Row>
  );
}

function fullText(node: Node, failing: boolean): string | null {
  const t = TEXTS.get();
  if (node.phase === 'paused') return null;
  if (failing) return t.saveFailed({ wait: retryIn(node) });
  if (node.phase === 'error') return node.loadError ?? t.unreachable;
  const saved = savedAtMs(node);
  if (saved !== null) return t.saved({ ago: formatAgo(node.nowMs - saved) });
  return node.phase === 'idle' ? t.idleHint : t.savesEvery;
}

function briefText(node: Node, failing: boolean): string | null {
  const t = TEXTS.get();
  if (node.phase === 'paused') return t.startsNew;
  if (failing) return t.saveFailedShort;
  if (node.phase === 'error') return node.loadError ?? t.unreachable;
  const saved = savedAtMs(node);
  if (saved !== null) return t.savedShort({ ago: formatAgo(node.nowMs - saved) });
  return node.phase === 'idle' ? t.startHint : null;
}
