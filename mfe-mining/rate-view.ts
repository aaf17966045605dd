import type { MiningSession } from '@cord/contracts/http/mining';
import type { Epoch } from '@cord/contracts/http/rewards';
import type { User } from '@cord/contracts/http/users';
import { type RateFactors, rateNano, rateToNumber, type Strand, strands } from '@cord/contracts/rules/rate';
import { formatAge, formatMultiplier, formatRate, type RateRow } from '@cord/ui';
import { TEXTS } from './texts';

/** The rate with everything it is made of, ready to be shown. */
export interface RateView {
  /** CORD per minute. */
  rate: number;
  /** What each factor adds before any penalty: the strands of the cord. */
  adds: { base: number; age: number; epoch: number; badge: number };
  rows: RateRow[];
  totalFactor: string;
}

interface RateSource {
  /** The running or paused session; without one the rate is what a start would bring. */
  session: MiningSession | null;
  user: User;
  /** Null when there is none or it is not known. */
  epoch: Pick<Epoch, 'id' | 'name' | 'rewardsMultiplier'> | null;
  /** Name of the network check's level. */
  networkLevel: string;
}

const BASE = 0.5;

/** The one rate function of the contracts, read as a table (money.md, Accrual). */
export function rateView({ session, user, epoch, networkLevel }: RateSource): RateView {
  const t = TEXTS.get();
  const factors = session === null ? factorsOfUser(user, epoch) : factorsOfSession(session);
  const laid = strands(factors);
  const rate = rateToNumber(rateNano(factors));
  const add = (key: Strand['key']) => Math.max(0, rateToNumber(laid.find((each) => each.key === key)?.addsNano ?? 0n));
  const labels: Record<Strand['key'], string> = {
    base: t.whyBase,
    age: t.whyAge({ age: formatAge(user.account_age) }),
    epoch: epoch === null ? t.whyNoEpoch : epochLabel(epoch.name),
    badge: factors.badge ? t.whyBadge : t.whyNoBadge,
    antiCheat: t.whyNetwork({ level: networkLevel }),
  };
  return {
    rate,
    adds: { base: add('base'), age: add('age'), epoch: add('epoch'), badge: add('badge') },
    rows: laid.map(({ key, hundredths, addsNano }) => ({
      key,
      label: labels[key],
      factor: key === 'base' ? undefined : formatMultiplier(Number(hundredths) / 100),
      adds: formatRate(rateToNumber(addsNano), { signed: key !== 'base' && addsNano > 0n }),
      active: key === 'base' || hundredths !== 100n,
    })),
    totalFactor: formatMultiplier(rate / BASE),
  };
}

/** An epoch may carry the word in its name already. */
function epochLabel(name: string): string {
  return name.toLowerCase().startsWith('epoch') ? name : TEXTS.get().whyEpoch({ name });
}

function factorsOfSession({ factors }: MiningSession): RateFactors {
  return {
    tierHundredths: hundredths(factors.tier),
    antiCheatHundredths: hundredths(factors.antiCheat),
    badge: factors.badge,
    epochHundredths: hundredths(factors.epoch),
  };
}

/** What a node of this user would earn; without the epoch at hand, it is what the record's rate leaves over. */
function factorsOfUser(user: User, epoch: RateSource['epoch']): RateFactors {
  const plain: RateFactors = {
    tierHundredths: hundredths(user.multiplier),
    antiCheatHundredths: hundredths(user.efficiencyMultiplier),
    badge: user.hasbadgeofhonor,
    epochHundredths: 100n,
  };
  const without = rateToNumber(rateNano(plain));
  const left = user.rate === null || without === 0 ? 1 : user.rate / without;
  return { ...plain, epochHundredths: hundredths(epoch?.rewardsMultiplier ?? left) };
}

function hundredths(factor: number): bigint {
  return BigInt(Math.round(factor * 100));
}

/** `26% base, 65% account age, 9% epoch`: whole percents of what adds to the rate. */
export function shareText(adds: RateView['adds']): string {
  const total = adds.base + adds.age + adds.epoch + adds.badge;
  return (['base', 'age', 'epoch', 'badge'] as const)
    .filter((key) => adds[key] > 0)
    .map((key) => `${Math.round((adds[key] / total) * 100)}% ${TEXTS.get()[`shareOf.${key}`]}`)
    .join(', ');
}
