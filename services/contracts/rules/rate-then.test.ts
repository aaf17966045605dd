import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RateFactors, rateNano, rateToNumber } from './rate.js';
import { factorsOf, type PublishedRate, rateThen } from './rate-then.js';
import { FIRST_BOOK } from './rule-book.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const shown = { tier: 2.5, antiCheat: 0.75, badge: true, epoch: 1.1, epochId: 'beta' };

function published(factors: typeof shown, end: Pick<PublishedRate, 'rateUntil' | 'nextFactors' | 'nextRateNano'>) {
  const nano = rateNano(FIRST_BOOK, factorsOf(factors));
  return { rate: rateToNumber(nano), rateNano: nano.toString(), factors, ...end };
}

test('every multiplier in a response converts back exactly', () => {
  const any = fc.record<RateFactors>({
    tierHundredths: fc.constantFrom(...FIRST_BOOK.tiers.map((tier) => BigInt(tier.hundredths))),
    antiCheatHundredths: fc.bigInt(10n, 100n),
    badge: fc.boolean(),
    epochHundredths: fc.bigInt(1n, 10_000n),
  });
  fc.assert(
    fc.property(any, (factors) => {
      const { tierHundredths, antiCheatHundredths, badge, epochHundredths } = factors;
      const plain = [tierHundredths, antiCheatHundredths, epochHundredths].map((each) => Number(each) / 100);
      const [tier = 0, antiCheat = 0, epoch = 0] = plain;
      expect(factorsOf({ tier, antiCheat, badge, epoch })).toEqual(factors);
    }),
  );
});

test('a rate is valid until the ms before its end, and the next one from then on', () => {
  const next = { ...shown, epoch: 1.2, epochId: 'gamma' };
  const rate = published(shown, {
    rateUntil: new Date(NOON_MS).toISOString(),
    nextFactors: next,
    nextRateNano: '1181250000',
  });
  expect(rateThen(rate, NOON_MS - 1)).toBe(rate);
  // 0.5 x 2.5 x 0.75 x 1.05 x 1.2
  expect(rateThen(rate, NOON_MS)).toEqual({
    rate: 1.18125,
    rateNano: '1181250000',
    factors: next,
    rateUntil: null,
    nextFactors: null,
    nextRateNano: null,
  });
});

test('a rate without an end stays valid', () => {
  const rate = published(shown, { rateUntil: null, nextFactors: null, nextRateNano: null });
  expect(rateThen(rate, Number.MAX_SAFE_INTEGER)).toBe(rate);
});
