import { formatAgo } from '@cord/ui';
import { CloudAlert, CloudUpload } from 'lucide-react';
import { TEXTS } from '../texts';
import { retryIn, savedAtMs } from './node-view';
import s from './save-line.module.css';
import type { Node } from './use-node';

/** How the saves go, or what else there is to know of the node at this moment. */
export function SaveLine({ node, brief = false }: { node: Node; brief?: boolean }) {
  const failing = node.save.failures > 0 && (node.phase === 'running' || node.phase === 'error');
  const Icon = failing ? CloudAlert : CloudUpload;
  const text = brief ? briefText(node, failing) : fullText(node, failing);
  if (node.lostAtMs !== null && node.phase !== 'loading') return <p className={s.line}>{TEXTS.get().waits}</p>;
  if (text === null) return null;
  return (
    <p className={failing ? s.warn : s.line}>
      {!brief && <Icon size={18} aria-hidden="true" />}
      <span>{text}</span>
    </p>
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
