import type { AddressRecord } from '@cord/contracts/http/support';
import type { TextsOf } from '@cord/sdk';
import { formatCount, formatMultiplier, formatRate } from '@cord/ui';
import type { Change } from '../room/confirm-panel';
import type { TEXTS } from './texts';

/** As far as a record has it: it may come from a newer service. */
interface Standing {
  rate?: unknown;
  anticheat: { penaltyLevel: number; isFlagged: boolean; efficiencyMultiplier: number };
}

/** The rate of a node whose penalty is lifted, CORD a minute; null while it is not known. */
export function rateIfClear({ rate, anticheat: { efficiencyMultiplier } }: Standing): number | null {
  return typeof rate !== 'number' || efficiencyMultiplier === 0 ? null : rate / efficiencyMultiplier;
}

/** How the network check names a level (services/contracts/rules/README.md#network-check), in the language of the room. */
export function levelNameOf(t: TextsOf<typeof TEXTS>, { penaltyLevel, isFlagged }: Standing['anticheat']): string {
  if (penaltyLevel > 0) return t['levels.penalty']({ n: penaltyLevel });
  return isFlagged ? t['levels.shared'] : t['levels.clean'];
}

/** What lifting a penalty changes: of one account, or of all that count at its address. */
export function changesOf(
  t: TextsOf<typeof TEXTS>,
  account: Standing,
  address: Pick<AddressRecord, 'users'> | undefined,
): Change[] {
  const { efficiencyMultiplier: factor } = account.anticheat;
  const rate = typeof account.rate === 'number' ? account.rate : null;
  return [
    ...(address ? [{ what: t.accounts, after: formatCount(address.users) }] : []),
    {
      what: t.level,
      before: t.levelAt({ level: levelNameOf(t, account.anticheat), factor: formatMultiplier(factor) }),
      after: t.levelAt({ level: t['levels.clean'], factor: formatMultiplier(1) }),
    },
    { what: t.rate, before: formatRate(rate), after: formatRate(rateIfClear(account)) },
    // A mark on an address stays; of one account the network check is off for a time alone (services/auth/anticheat).
    { what: t.holds, after: address ? t.holdsUntil : t.holdsFor },
  ];
}
