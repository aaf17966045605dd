import { microToNumber } from '@cord/contracts/rules/money';
import { formatTime, useTexts } from '@cord/sdk';
import { Badge, CordDial, DialReading, formatCord, NodeBadge, UNKNOWN } from '@cord/ui';
import { Clock } from 'lucide-react';
import type { RateView } from '../rate/rate-view';
import { TEXTS } from '../texts';
import s from './node-dial.module.css';
import { badgeState, dialState, turnText } from './node-view';
import { SessionWhy } from './session-why';
import type { Node } from './use-node';

interface NodeDialProps {
  node: Node;
  rate: RateView | null;
  /** px. */
  size: number;
  /** The page shows the state in the dial, the card beside it. */
  look: 'page' | 'card';
}

/** The cord dial with the session's earnings in the middle. */
export function NodeDial({ node, rate, size, look }: NodeDialProps) {
  const t = useTexts(TEXTS);
  const { phase, earnedMicro, session } = node;
  const known = phase !== 'loading' && !(phase === 'error' && session === null);
  const number = known ? formatCord(earnedMicro) : UNKNOWN;
  const under = underText(node, look);
  const lost = known && node.lostAtMs !== null;
  const turn = look === 'page' && phase === 'running' && rate && !lost ? turnText(rate.perMinute) : null;
  return (
    <CordDial
      state={dialState(phase)}
      earned={known ? microToNumber(earnedMicro) : null}
      rate={rate?.perMinute ?? 0}
      adds={rate?.adds}
      efficiency={session?.efficiency ?? 100}
      size={size}
    >
      <DialReading
        size={size}
        number={number}
        above={
          look === 'page' ? (
            <NodeState node={node} />
          ) : (
            <span className={s.labelled}>
              {t.sessionEarned}
              {known && <SessionWhy node={node} />}
            </span>
          )
        }
        under={
          look === 'page' && known && !lost ? (
            <span className={s.labelled}>
              {under}
              <SessionWhy node={node} />
            </span>
          ) : (
            under
          )
        }
        note={turn ?? undefined}
        readerText={`${number} ${t.sessionEarnedUnit}`}
        testId="session-earned"
        dataValue={known ? microToNumber(earnedMicro) : undefined}
      />
    </CordDial>
  );
}

/** The node's state, or that it is unknown. */
export function NodeState({ node: { phase, lostAtMs } }: { node: Node }) {
  const t = useTexts(TEXTS);
  if (phase === 'loading') return <span className={s.unknown} />;
  if (lostAtMs === null || phase === 'error') return <NodeBadge state={badgeState(phase)} />;
  return <Badge icon={<Clock size={16} />}>{t.lastKnown}</Badge>;
}

function underText({ phase, session, lostAtMs }: Node, look: NodeDialProps['look']): string {
  const t = TEXTS.get();
  if (lostAtMs !== null && phase !== 'loading' && phase !== 'error')
    return t.lastKnownUnit({ time: formatTime(lostAtMs) });
  if (phase === 'error' && session !== null) return t.lastSavedUnit;
  if (phase === 'paused') return t.creditedUnit;
  return look === 'page' ? t.sessionEarnedUnit : t.unit;
}
