import { microToNumber } from '@cord/contracts/rules/money';
import { useTexts } from '@cord/sdk';
import { CordDial, DialReading, formatCord, NodeBadge, UNKNOWN } from '@cord/ui';
import s from './node-dial.module.css';
import { badgeState, dialState, turnText } from './node-view';
import type { RateView } from './rate-view';
import { SessionWhy } from './session-why';
import { TEXTS } from './texts';
import type { Node } from './use-node';

interface NodeDialProps {
  node: Node;
  rate: RateView | null;
  /** px. */
  size: number;
  /** On the page the state stands in the dial; on the card it stands beside it. */
  look: 'page' | 'card';
}

/** The cord dial with the session's earnings in the middle. */
export function NodeDial({ node, rate, size, look }: NodeDialProps) {
  const t = useTexts(TEXTS);
  const { phase, earnedMicro, session } = node;
  const known = phase !== 'loading' && !(phase === 'error' && session === null);
  const number = known ? formatCord(earnedMicro) : UNKNOWN;
  const under = underText(node, look);
  const turn = look === 'page' && phase === 'running' && rate ? turnText(rate.perMinute) : null;
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
            <NodeBadge state={badgeState(phase)} />
          ) : (
            <span className={s.asked}>
              {t.sessionEarned}
              {known && <SessionWhy node={node} />}
            </span>
          )
        }
        under={
          look === 'page' && known ? (
            <span className={s.asked}>
              {under}
              <SessionWhy node={node} />
            </span>
          ) : (
            under
          )
        }
        note={turn ?? undefined}
        spoken={`${number} ${t.sessionEarnedUnit}`}
        testId="session-earned"
        dataValue={known ? microToNumber(earnedMicro) : undefined}
      />
    </CordDial>
  );
}

function underText({ phase, session }: Node, look: NodeDialProps['look']): string {
  const t = TEXTS.get();
  if (phase === 'error' && session !== null) return t.lastSavedUnit;
  if (phase === 'paused') return t.creditedUnit;
  return look === 'page' ? t.sessionEarnedUnit : t.unit;
}
