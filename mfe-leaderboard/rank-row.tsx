// biome-ignore-all lint/a11y/noRedundantRoles: laid out as a grid, some browsers take a table's roles away
import { Avatar, cx, formatAge, formatCord, formatCount, formatMultiplier } from '@cord/ui';
import { type ComponentProps, memo, type ReactNode } from 'react';
import { linkArea, MinerName } from './miner-links';
import { type Miner, MinerBadges } from './podium';
import s from './rank-row.module.css';

export interface RankedMiner extends Miner {
  /** Years; from 1024 px on. */
  accountAge?: number | null | undefined;
  /** From 1024 px on. */
  multiplier?: number | null | undefined;
  /** "1,204.08 CORD behind #36"; at the right from 1440 px on, under the name before. */
  gap?: ReactNode;
}

interface RankRowProps extends Omit<ComponentProps<'tr'>, 'role'> {
  miner: RankedMiner;
}

interface RankTableProps {
  label: string;
  /** Heads of the five columns. */
  heads: readonly [string, string, string, string, string];
  /** `RankRow`s. */
  children?: ReactNode;
  /** Below the rows: `RankGap` and `StickyRow`. */
  foot?: ReactNode;
}

/** A ranking as a table, which search in the page, print and a screen reader's table commands know. */
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

/** What lies between two rows that are not neighbours: "126 more miners". */
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

/** Characters; a longer number takes the avatar's place on the smallest screens. */
const WIDE_NUMBER = 12;

/** One miner of a ranking, drawn anew with another one only. Fixed column widths, so that rows that are not in sight need no layout. */
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

/** The own row in sight above the bottom bar, while the real one is not. Give it a `RankRow`. */
export function StickyRow({ hidden = false, children }: { hidden?: boolean | undefined; children: ReactNode }) {
  return (
    <tbody role="rowgroup" className={s.sticky} hidden={hidden} data-testid="own-row">
      {children}
    </tbody>
  );
}
