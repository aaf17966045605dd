import type { AddressRecord } from '@cord/contracts/http/support';
import type { TextsOf } from '@cord/sdk';
import { formatCount, formatMultiplier, formatRate } from '@cord/ui';
import type { Change } from '../room/confirm-panel';
import type { TEXTS } from './texts';

/** The part of a record that is needed here. The record may come from a newer service. */
interface Standing {
  rate?: unknown;
  anticheat: { penaltyLevel: number; isFlagged: boolean; efficiencyMultiplier: number };
}

/** The rate of a node without its penalty, CORD a minute; null while it is not known. */
export function rateIfClear({ rate, anticheat: { efficiencyMultiplier } }: Standing): number | null {
  return typeof rate !== 'number' || efficiencyMultiplier === 0 ? null : rate / efficiencyMultiplier;
}

/** The name of a level of the network check (services/contracts/rules/README.md#network-check), in the current language. */
export function levelNameOf(t: TextsOf<typeof TEXTS>, { penaltyLevel, isFlagged }: Standing['anticheat']): string {
  if (penaltyLevel > 0) return t['levels.penalty']({ n: penaltyLevel });
  return isFlagged ? t['levels.shared'] : t['levels.clean'];
}

/** The effect of lifting a penalty for one account, or for all accounts counted at its address. */
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
    // A mark on an address has no end; for one account the network check is off for a limited time (services/auth/anticheat).
    { what: t.holds, after: address ? t.holdsUntil : t.holdsFor },
  ];
}
