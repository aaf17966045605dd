import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { HonorBadge, MiningBadge, YouBadge } from '@cord/ui';
import s from './entry-badges.module.css';

interface EntryBadgesProps {
  entry: Pick<LeaderboardEntry, 'hasbadgeofhonor' | 'is_node_active'>;
  /** The signed-in user's own entry. */
  own: boolean;
  className?: string | undefined;
}

/** You, Honor, Mining: whichever apply. */
export function EntryBadges({ entry, own, className }: EntryBadgesProps) {
  if (!own && !entry.hasbadgeofhonor && !entry.is_node_active) return null;
  return (
    <span className={className === undefined ? s.badges : `${s.badges} ${className}`}>
      {own && <YouBadge />}
      {entry.hasbadgeofhonor && <HonorBadge />}
      {entry.is_node_active && <MiningBadge />}
    </span>
  );
}
