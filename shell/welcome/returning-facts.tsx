import type { MiningSession } from '@cord/contracts/http/mining';
import type { User } from '@cord/contracts/http/users';
import { formatWhen, useBalance, useSdk, useTexts } from '@cord/sdk';
import { formatCord, formatCount, formatRank } from '@cord/ui';
import { useState } from 'react';
import { readLastSeen } from '../session/last-seen';
import { useGlobalStats } from '../session/public-facts';
import { FactRows } from './fact-rows';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** Somebody who comes back: what the node has done, where they stand. */
export function ReturningFacts({ user, node }: { user: User; node: MiningSession | null | undefined }) {
  const t = useTexts(WELCOME_TEXTS);
  const { clock } = useSdk();
  const { micro } = useBalance();
  const [before] = useState(() => readLastSeen(user.id));
  // A device that has not seen this account before does not know what was earned meanwhile.
  const earned = before === null || micro === null || micro < before.micro ? null : micro - before.micro;
  const miners = useGlobalStats().data?.totalMiners;
  const rank = formatRank(user.rank);
  return (
    <>
      <h2 className={s.title}>{t.backTitle({ name: user.username })}</h2>
      <p className={s.text}>{nodeSentence(node, clock.now())}</p>
      <FactRows
        rows={[
          earned === null
            ? { label: t.today, value: formatCord(user.daily_earnings) }
            : { label: t.away, value: formatCord(earned) },
          {
            label: t.rank,
            value: user.rank === null || miners === undefined ? rank : t.rankOf({ rank, miners: formatCount(miners) }),
          },
        ]}
        total={{ label: t.balance, value: formatCord(micro), unit: 'CORD' }}
      />
    </>
  );
}

function nodeSentence(node: MiningSession | null | undefined, nowMs: number): string {
  const t = WELCOME_TEXTS.get();
  if (node?.status === 'active') return t.nodeRuns;
  if (node?.status === 'paused') return t.nodePaused({ time: formatWhen(Date.parse(node.creditedUntil), nowMs) });
  return node === undefined ? '' : t.nodeIdle;
}
