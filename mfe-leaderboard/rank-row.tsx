// biome-ignore-all lint/a11y/noRedundantRoles: laid out as a grid, some browsers take a table's roles away
import { Avatar, cx, formatAge, formatCord, formatCount, formatMultiplier } from '@cord/ui';
import { type ComponentProps, memo, type ReactNode } from 'react';
import { linkArea, MinerName } from './miner-links';
import { type Miner, MinerBadges } from './podium';
import s from './rank-row.module.css';

export interface RankedMiner extends Miner {
  /** Years; shown from 1024 px. */
  accountAge?: number | null | undefined;
  /** Shown from 1024 px. */
  multiplier?: number | null | undefined;
  /** "1,204.08 CORD behind #36"; at the right from 1440 px, below that under the name. */
  gap?: ReactNode;
}

interface RankRowProps extends Omit<ComponentProps<'tr'>, 'role'> {
  miner: RankedMiner;
}

interface RankTableProps {
  label: string;
  /** Headers of the five columns. */
  heads: readonly [string, string, string, string, string];
  /** `RankRow`s. */
  children?: ReactNode;
  /** Below the rows: `RankGap` and `StickyRow`. */
  foot?: ReactNode;
}

/** A ranking as a table, which supports find in page, print and table commands of screen readers. */
export function RankTable({ label, heads, children, foot }: RankTableProps) {
  return (
    <table role="table" aria-label={label} className={s.table}>
      <thead role="rowgroup">
        <RankHead heads={heads} />
      </thead>
      <tbody role="rowgroup" className={s.body}>
        {children}
      </tbody>
      {foot}
    </table>
  );
}

/** A separator between rows that are not neighbours: "126 more miners". */
export function RankGap({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup">
      <tr role="row" className={s.betweenRow}>
        <td role="cell" colSpan={5} className={s.between}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}

function RankHead({ heads }: Pick<RankTableProps, 'heads'>) {
  return (
    <tr role="row" className={cx(s.row, s.head)}>
      <th scope="col" role="columnheader" className={s.rankHead}>
        {heads[0]}
      </th>
      <th scope="col" role="columnheader" className={s.nameHead}>
        {heads[1]}
      </th>
      <th scope="col" role="columnheader" className={cx(s.wide, s.age)}>
        {heads[2]}
      </th>
      <th scope="col" role="columnheader" className={cx(s.wide, s.multiplier)}>
        {heads[3]}
      </th>
      <th scope="col" role="columnheader" className={s.earnedHead}>
        {heads[4]}
      </th>
    </tr>
  );
}

/** Number of characters from which a number replaces the avatar on the smallest screens. */
const WIDE_NUMBER = 12;

/** One miner of a ranking, memoised. Column widths are fixed, so that rows off screen need no layout. */
export const RankRow = memo(function RankRow({ miner, className, ...rest }: RankRowProps) {
  const earned = formatCord(miner.earned);
  return (
    <tr
      {...rest}
      role="row"
      className={cx(
        s.row,
        linkArea,
        miner.you && s.you,
        miner.gap !== undefined && s.withGap,
        earned.length > WIDE_NUMBER && s.wideNumber,
        className,
      )}
      data-rank={miner.rank}
    >
      <td role="cell" className={s.rank}>
        {formatCount(miner.rank)}
      </td>
      <th scope="row" role="rowheader" className={s.miner}>
        <Avatar name={miner.name} src={miner.avatar} size={36} />
        <span className={s.names}>
          <MinerName name={miner.name} userId={miner.key} className={cx('t-600 t-cut', s.name)} />
          <MinerBadges you={miner.you} honor={miner.honor} mining={miner.mining} />
        </span>
      </th>
      {miner.gap !== undefined && (
        <td role="cell" className={s.gap}>
          {miner.gap}
        </td>
      )}
      <td role="cell" className={cx(s.wide, s.age)}>
        {formatAge(miner.accountAge, { short: true })}
      </td>
      <td role="cell" className={cx(s.wide, s.multiplier)}>
        {formatMultiplier(miner.multiplier)}
      </td>
      <td role="cell" className={s.earned}>
        {earned}
      </td>
    </tr>
  );
});

/** The user's own row, sticky above the bottom bar while the real one is off screen. Its child is a `RankRow`. */
export function StickyRow({ hidden = false, children }: { hidden?: boolean | undefined; children: ReactNode }) {
  return (
    <tbody role="rowgroup" className={s.sticky} hidden={hidden} data-testid="own-row">
      {children}
    </tbody>
  );
}
