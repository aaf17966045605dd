import type { MiningSession } from '@cord/contracts/http/mining';
import type { User } from '@cord/contracts/http/users';
import { useBalance } from '@cord/sdk';
import { formatCord, formatCount, formatRank } from '@cord/ui';
import { formatTime } from '../app/dates';
import { useGlobalStats } from '../session/public-facts';
import { FactRows } from './fact-rows';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** Somebody who comes back: what the node has done, where they stand. */
export function ReturningFacts({ user, node }: { user: User; node: MiningSession | null | undefined }) {
  const { micro } = useBalance();
  const miners = useGlobalStats().data?.totalMiners;
  const rank = formatRank(user.rank);
  return (
    <>
      <h2 className={s.title}>{WELCOME_TEXTS.backTitle(user.username)}</h2>
      <p className={s.text}>{nodeSentence(node)}</p>
      <FactRows
        rows={[
          { label: WELCOME_TEXTS.today, value: formatCord(user.daily_earnings) },
          {
            label: WELCOME_TEXTS.rank,
            value: user.rank === null || miners === undefined ? rank : `${rank} of ${formatCount(miners)}`,
          },
        ]}
        total={{ label: WELCOME_TEXTS.balance, value: formatCord(micro), unit: 'CORD' }}
      />
    </>
  );
}

function nodeSentence(node: MiningSession | null | undefined): string {
  if (node?.status === 'active') return WELCOME_TEXTS.nodeRuns;
  if (node?.status === 'paused') return WELCOME_TEXTS.nodePaused(formatTime(Date.parse(node.creditedUntil)));
  return node === undefined ? '' : WELCOME_TEXTS.nodeIdle;
}
