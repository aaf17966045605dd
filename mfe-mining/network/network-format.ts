import type * as supportEndpoints from '@cord/contracts/addresses/support';
import type { ResponseOf } from '@cord/contracts/calls';
import type { TextsOf } from '@cord/sdk';
import type { TEXTS } from '../texts';

type Check = ResponseOf<typeof supportEndpoints.anticheat>;
type T = TextsOf<typeof TEXTS>;

/** Returns the name of a level of the network check (services/contracts/rules/README.md#network-check); Clean while unknown. */
export function levelName(t: T, check: Pick<Check, 'penaltyLevel' | 'isFlagged'> | undefined): string {
  if (check === undefined) return t['level.clean'];
  if (check.penaltyLevel > 0) return t['level.penalty']({ n: check.penaltyLevel });
  return check.isFlagged ? t['level.shared'] : t['level.clean'];
}

/**
 * Explains the level by reason and number, never by names.
 * @param rateReduced text for a reduced rate
 */
export function networkText(t: T, check: Check, rateReduced = t.rateReduced): string {
  if (!check.isFlagged) return t.accountsOnNetwork({ count: check.totalUsersOnIp });
  const percent = Math.round(check.efficiencyMultiplier * 100);
  const seen = t.networkShared({ count: check.otherUsersOnIp });
  return `${seen} ${check.penaltyLevel > 0 ? rateReduced({ percent }) : t.rateWhole}`;
}
