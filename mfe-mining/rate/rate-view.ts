import { bareEpochName } from '@cord/contracts/rules/epochs';
import type { Rate, RateStrand } from '@cord/sdk';
import { formatAge, formatPercent } from '@cord/ui';
import { TEXTS } from '../texts';

/** A rate with the names of its strands. */
export interface RateView extends Rate {
  labels: Record<RateStrand['key'], string>;
}

interface Named {
  /** Years. */
  age: number;
  /** Null when there is none or it is unknown. */
  epoch: { name: string } | null;
  /** Name of the network check's level. */
  networkLevel: string;
}

export function rateView(rate: Rate, { age, epoch, networkLevel }: Named): RateView {
  const t = TEXTS.get();
  return {
    ...rate,
    labels: {
      base: t.whyBase,
      age: t.whyAge({ age: formatAge(age) }),
      epoch: epoch === null ? t.whyNoEpoch : epochLabel(epoch.name),
      badge: rate.badge ? t.whyBadge : t.whyNoBadge,
      antiCheat: t.whyNetwork({ level: networkLevel }),
    },
  };
}

/** Formats the name of an epoch, which may contain "Epoch" already. */
export function epochLabel(name: string): string {
  return TEXTS.get().whyEpoch({ name: bareEpochName(name) });
}

/** Formats `26% base, 65% account age, 9% epoch`: whole percents of what adds to the rate. */
export function shareText(adds: RateView['adds']): string {
  const total = adds.base + adds.age + adds.epoch + adds.badge;
  return (['base', 'age', 'epoch', 'badge'] as const)
    .filter((key) => adds[key] > 0)
    .map((key) => `${formatPercent(Math.round((adds[key] / total) * 100))} ${TEXTS.get()[`shareOf.${key}`]}`)
    .join(', ');
}
