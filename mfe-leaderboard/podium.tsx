import { Avatar, type CordValue, cx, formatCord, HonorBadge, MiningBadge, YouBadge } from '@cord/ui';
import { type CSSProperties, memo } from 'react';
import { linkArea, MinerName } from './miner-links';
import s from './podium.module.css';

export interface Miner {
  key: string;
  name: string;
  avatar?: string | null | undefined;
  rank: number;
  earned: CordValue;
  honor?: boolean | undefined;
  mining?: boolean | undefined;
  you?: boolean | undefined;
}

interface PodiumProps {
  /** The top three, in the order 1 2 3; CSS places 2 1 3. */
  miners: readonly Miner[];
  label: string;
}

/** The top three of a ranking on steps. */
export const Podium = memo(function Podium({ miners, label }: PodiumProps) {
  return (
    <ol className={s.podium} aria-label={label}>
      {miners.slice(0, 3).map((miner, index) => (
        <li key={miner.key} className={cx(s.place, linkArea, s[`place${index + 1}`])}>
          <div className={s.miner}>
            <Avatar name={miner.name} src={miner.avatar} size={index === 0 ? 72 : 60} />
            <p className={cx('t-600 t-cut', s.name)}>
              <MinerName name={miner.name} userId={miner.key} />
            </p>
            <MinerBadges you={miner.you} honor={miner.honor} mining={miner.mining} />
          </div>
          <Step miner={miner} />
        </li>
      ))}
    </ol>
  );
});

function Step({ miner }: { miner: Miner }) {
  const earned = formatCord(miner.earned);
  return (
    <div className={s.step} style={{ '--chars': earned.length } as CSSProperties}>
      <span className={s.rank}>{miner.rank}</span>
      <span className={s.earned}>{earned}</span>
    </div>
  );
}

/** The applicable badges of You, Honor and Mining. */
export function MinerBadges({ you, honor, mining }: Pick<Miner, 'you' | 'honor' | 'mining'>) {
  if (!you && !honor && !mining) return null;
  return (
    <span className={s.badges}>
      {you && <YouBadge />}
      {honor && <HonorBadge />}
      {mining && <MiningBadge />}
    </span>
  );
}
