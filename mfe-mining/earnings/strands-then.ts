import { type RateFactors, rateNano, rateToNumber, strands } from '@cord/contracts/rules/rate';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { type Strand, type StrandAdds, strandPercents } from '@cord/ui';
import type { Period } from './periods';

const MINUTE_MS = 60_000;
const HUNDRED = 100n;

interface KnownNow {
  /** Today's multiplier of the tier: 3.5. No earlier day had a larger one. */
  multiplier: number;
  badge: boolean;
}

/**
 * Returns the strands of the rate in a period. The mean rate of its node time shows the tier and the badge; the epoch
 * is known. A penalty of the network check lowers the rate and is no strand.
 * @param epochFactor factor of the epoch in force then
 */
export function strandsThen(
  book: RuleBook,
  { bucket }: Pick<Period, 'bucket'>,
  epochFactor: number,
  now: KnownNow,
): StrandAdds {
  const perMinute = bucket.ranMs > 0 ? bucket.mining / (bucket.ranMs / MINUTE_MS) : null;
  const tiers = book.tiers.filter(({ hundredths }) => hundredths <= now.multiplier * 100 + 1e-6);
  const candidates = tiers.flatMap(({ hundredths }) =>
    (now.badge ? [true, false] : [false]).map((badge) => factors(BigInt(hundredths), badge, epochFactor)),
  );
  const present = factors(BigInt(Math.round(now.multiplier * 100)), now.badge, epochFactor);
  if (perMinute === null || perMinute <= 0) return addsOf(book, present);
  const off = (one: RateFactors) => Math.abs(Math.log(rateToNumber(rateNano(book, one)) / perMinute));
  const nearest = candidates.reduce((best, each) => (off(each) < off(best) ? each : best), present);
  return addsOf(book, nearest);
}

function factors(tierHundredths: bigint, badge: boolean, epochFactor: number): RateFactors {
  const epochHundredths = BigInt(Math.max(1, Math.round(epochFactor * 100)));
  return { tierHundredths, badge, epochHundredths, antiCheatHundredths: HUNDRED };
}

function addsOf(book: RuleBook, of: RateFactors): StrandAdds {
  const adds: StrandAdds = {};
  for (const { key, addsNano } of strands(book, of))
    if (key !== 'antiCheat') adds[key] = Math.max(0, rateToNumber(addsNano));
  return adds;
}

/** Number of lobes in one repeat of a column's cord. */
export const LOBES = 20;

/** Returns one repeat of the cord: its strands by share, evenly spread. */
export function lobesOf(adds: StrandAdds): Strand[] {
  const shares = [...strandPercents(adds)];
  const owed = new Map<Strand, number>();
  return Array.from({ length: LOBES }, () => {
    for (const [strand, percent] of shares) owed.set(strand, (owed.get(strand) ?? 0) + percent / 100);
    const [next] = [...owed].reduce((most, each) => (each[1] > most[1] + 1e-9 ? each : most), ['base', 0] as const);
    owed.set(next, (owed.get(next) ?? 0) - 1);
    return next;
  });
}
