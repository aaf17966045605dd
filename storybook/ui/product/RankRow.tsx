// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualised and placed by transform, which table elements cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: cells of a table that is only read take no focus
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../classNames';
import { formatAge, formatCord, formatCount, formatMultiplier } from '../format';
import { Avatar } from '../identity/Avatar';
import { say } from '../words';
import { type Miner, MinerBadges } from './Podium';
import s from './RankRow.module.css';

export interface RankedMiner extends Miner {
  /** Years; from 1024 px on. */
  accountAge?: number | null | undefined;
  /** From 1024 px on. */
  multiplier?: number | null | undefined;
  /** "1,204.08 CORD behind #36"; at the right from 1440 px on, under the name before. */
  gap?: ReactNode;
}

export interface RankRowProps extends Omit<ComponentProps<'div'>, 'role'> {
  miner: RankedMiner;
}

/** Heads of a list of `RankRow`s; give both a parent with role `table`. */
export function RankHead({
  heads = [say('rank'), say('miner'), say('account'), say('multiplier'), say('earned')],
}: {
  heads?: readonly [string, string, string, string, string] | undefined;
}) {
  return (
    <div role="row" className={cx(s.row, s.head)}>
      <span role="columnheader" className={s.rankHead}>
        {heads[0]}
      </span>
      <span role="columnheader" className={s.nameHead}>
        {heads[1]}
      </span>
      <span role="columnheader" className={cx(s.wide, s.age)}>
        {heads[2]}
      </span>
      <span role="columnheader" className={cx(s.wide, s.multiplier)}>
        {heads[3]}
      </span>
      <span role="columnheader" className={s.earnedHead}>
        {heads[4]}
      </span>
    </div>
  );
}

/** Characters; a longer number takes the avatar's place on the smallest screens. */
const WIDE_NUMBER = 12;

/** One miner of a ranking. Fixed column widths, so that a virtualised list needs no table layout. */
export function RankRow({ miner, className, ...rest }: RankRowProps) {
  const earned = formatCord(miner.earned);
  return (
    <div
      {...rest}
      role="row"
      className={cx(
        s.row,
        miner.you && s.you,
        miner.gap !== undefined && s.withGap,
        earned.length > WIDE_NUMBER && s.wideNumber,
        className,
      )}
      data-rank={miner.rank}
    >
      <span role="cell" className={s.rank}>
        {formatCount(miner.rank)}
      </span>
      <span role="rowheader" className={s.miner}>
        <Avatar name={miner.name} src={miner.avatar} size={36} />
        <span className={s.names}>
          <span className={s.name} title={miner.name}>
            {miner.name}
          </span>
          <MinerBadges you={miner.you} honor={miner.honor} mining={miner.mining} />
        </span>
      </span>
      {miner.gap !== undefined && (
        <span role="cell" className={s.gap}>
          {miner.gap}
        </span>
      )}
      <span role="cell" className={cx(s.wide, s.age)}>
        {formatAge(miner.accountAge, { short: true })}
      </span>
      <span role="cell" className={cx(s.wide, s.multiplier)}>
        {formatMultiplier(miner.multiplier)}
      </span>
      <span role="cell" className={s.earned}>
        {earned}
      </span>
    </div>
  );
}

/** The own row in sight above the bottom bar, while the real one is not. Give it a `RankRow`. */
export function StickyRow({ hidden = false, children }: { hidden?: boolean | undefined; children: ReactNode }) {
  return (
    <div className={s.sticky} hidden={hidden}>
      {children}
    </div>
  );
}
