import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  epochLeftParts,
  formatAge,
  formatAgo,
  formatCord,
  formatCount,
  formatDuration,
  formatEpochLeft,
  formatExact,
  formatHashRate,
  formatK,
  formatMultiplier,
  formatPercent,
  formatRank,
  formatRate,
  formatShort,
  formatSol,
  formatSpan,
  formatUsdQuote,
  percentOf,
  setNumberLocale,
  shortenAddress,
  toMicro,
  UNKNOWN,
} from './format';
import { setUiTexts, UI_TEXTS } from './ui-texts';

describe('numbers in common languages', () => {
  afterEach(() => setNumberLocale('en-GB'));

  it.each(['en', 'en-GB', 'en-US', 'de', 'de-DE'])('follow the rules of %s', (locale) => {
    setNumberLocale(locale);
    const rules = new Intl.NumberFormat(locale, { minimumFractionDigits: 6 });
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (micro) => {
        expect(formatRate(BigInt(micro))).toBe(rules.format(micro / 1e6));
      }),
    );
    expect(formatMultiplier(3.5)).toBe(`×${new Intl.NumberFormat(locale).format(3.5)}`);
  });
});

describe('amounts of CORD', () => {
  it('are truncated to two decimals, never rounded up', () => {
    expect(formatCord(419.339999)).toBe('419.33');
    expect(formatCord(0.999999)).toBe('0.99');
    expect(formatCord(1_999_999n)).toBe('1.99');
  });
  it('are not changed by float inaccuracy', () => {
    expect(formatCord(0.29)).toBe('0.29');
    expect(formatCord(1.005)).toBe('1.00');
    expect(formatCord(48213.57)).toBe('48,213.57');
  });
  it('are grouped and complete at any size', () => {
    expect(formatCord(9_999_999.99)).toBe('9,999,999.99');
    expect(formatCord(123_456_789_012_345_678_901_234n)).toBe('123,456,789,012,345,678.90');
  });
  it('have a plus only on request, and zero never has a minus', () => {
    expect(formatCord(122.5, { signed: true })).toBe('+122.50');
    expect(formatCord(0, { signed: true })).toBe('+0.00');
    expect(formatCord(-3.5)).toBe('-3.50');
    expect(formatCord(-0.001)).toBe('0.00');
    expect(formatCord(0)).toBe('0.00');
  });
  it('are an en dash when unknown', () => {
    for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
      expect(formatCord(value)).toBe(UNKNOWN);
  });
  it('are never shown larger than they are, for any micro-CORD', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (micro) => {
        const shown = toMicroOfText(formatCord(micro));
        return shown <= micro && micro - shown < 10_000n;
      }),
    );
  });
  it('are equal for a number and for micro-CORD', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 53 - 1 }), (micro) => {
        return formatCord(micro / 1e6) === formatCord(BigInt(micro)) || micro > 2 ** 50;
      }),
    );
  });
});

const toMicroOfText = (text: string) => BigInt(text.replaceAll(',', '').replace('.', '')) * 10_000n;

describe('the formatters of other numbers', () => {
  it('show rates with six decimals', () => {
    expect(formatRate(1.925)).toBe('1.925000');
    expect(formatRate(1.25, { signed: true })).toBe('+1.250000');
  });
  it('show thousands with one decimal, truncated', () => {
    expect(formatK(7_912_499)).toBe('7,912.4K');
    expect(formatK(870)).toBe('0.8K');
    expect(formatK(99)).toBe('0.0K');
    expect(formatK(null)).toBe(UNKNOWN);
  });
  it('turn thousands into millions and billions before they have six digits', () => {
    expect(formatK(9_999_999)).toBe('9,999.9K');
    expect(formatK(10_000_000)).toBe('10.0M');
    expect(formatK(9_999_999_999)).toBe('9,999.9M');
    expect(formatK(987_654_321_012)).toBe('987.6B');
  });
  it('show the numbers of a scale as short as possible', () => {
    const written = [0, 2.5, 850, 1_000, 1_250, 25_000, 1_000_000, 2_500_000_000, null].map(formatShort);
    expect(written).toEqual(['0', '2.5', '850', '1K', '1.2K', '25K', '1M', '2.5B', UNKNOWN]);
  });
  it('show counts and ranks whole and grouped', () => {
    expect(formatCount(1284)).toBe('1,284');
    expect(formatRank(37)).toBe('#37');
    expect([formatRank(null), formatRank(0)]).toEqual(['Unranked', 'Unranked']);
    expect(formatRank(undefined)).toBe(UNKNOWN);
  });
  it('show multipliers without padding', () => {
    expect(formatMultiplier(3.5)).toBe('×3.5');
    expect(formatMultiplier(10)).toBe('×10');
    expect(formatMultiplier(1.05)).toBe('×1.05');
    expect(formatMultiplier(100)).toBe('×100');
  });
  it('truncate ages to one decimal', () => {
    expect(formatAge(5.49)).toBe('5.4 years');
    expect([formatAge(1), formatAge(1.5)]).toEqual(['1.0 year', '1.5 years']);
    expect(formatAge(9.2, { short: true })).toBe('9.2 y');
  });
  it('show efficiency as a whole percentage, truncated', () => {
    expect(formatPercent(98.9)).toBe('98%');
    expect(formatPercent(null)).toBe(UNKNOWN);
  });
  it('show progress as 100 only at the end', () => {
    expect(percentOf(999.999, 1000)).toBe(99);
    expect(percentOf(2, 3)).toBe(66);
    expect(percentOf(1000, 1000)).toBe(100);
    expect([percentOf(5, 0), percentOf(1, 1_000), percentOf(-1, 10)]).toEqual([0, 0, 0]);
  });
  it('show hash rates with one decimal', () => {
    expect(formatHashRate(184.27)).toBe('184.2 H/s');
  });
  it('show every digit of a small unit, and no trailing zeros beyond the minimum', () => {
    expect(formatExact(50_500_000, 6)).toBe('50.5');
    expect(formatExact(50_000_000, 6)).toBe('50');
    expect(formatExact(500_000_001, 9, 6)).toBe('0.500000001');
    expect(formatExact(500_000_000n, 9, 6)).toBe('0.500000');
    expect(formatExact(10_000_000_001, 6, 2)).toBe('10,000.000001');
    expect(formatExact(-1, 6, 2)).toBe('-0.000001');
    expect(formatExact(10, 0)).toBe('10');
  });

  it('show SOL exactly, and its quote with its age or as an estimate', () => {
    expect(formatSol(20_000_000)).toBe('0.02 SOL');
    expect(formatSol(1_000_000_000n)).toBe('1.00 SOL');
    expect(formatSol(1_234_567_891n)).toBe('1.234567891 SOL');
    expect(formatUsdQuote(3.12, 120_000)).toBe('about $3.12, quoted 2 min ago');
    expect(formatUsdQuote(1, 0, true)).toBe('about $1.00, estimate');
    // Modules of other releases may pass what they do not know yet.
    expect(formatUsdQuote(3.12, null)).toBe('about $3.12');
    expect([formatSol(null), formatUsdQuote(undefined, 0), formatAgo(null)]).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
  });
});

describe('the formatters of times', () => {
  it('show hours beyond 99', () => {
    expect(formatDuration(0)).toBe('00:00:00');
    expect(formatDuration(13_337_999)).toBe('03:42:17');
    expect(formatDuration(1_408_124_000)).toBe('391:08:44');
    expect(formatDuration(-5)).toBe('00:00:00');
    expect(formatDuration(null)).toBe(UNKNOWN);
  });
  it('show spans with at most two units', () => {
    expect(formatSpan(267_000)).toBe('4 min 27 s');
    expect(formatSpan(129_600_000)).toBe('1 d 12 h');
    expect(formatSpan(60_000)).toBe('1 min');
    expect(formatSpan(0)).toBe('0 s');
  });
  it('show the time left of an epoch in days, hours and minutes', () => {
    expect(formatEpochLeft((6 * 24 + 14) * 3_600_000 + 22 * 60_000 + 59_000)).toBe('6d 14h 22m');
    expect(epochLeftParts(-1)).toEqual({ d: 0, h: 0, m: 0 });
    expect(epochLeftParts(null)).toBeNull();
  });
  it('show how long ago with one unit', () => {
    expect(formatAgo(400)).toBe('just now');
    expect(formatAgo(4_000)).toBe('4 s ago');
    expect(formatAgo(125_000)).toBe('2 min ago');
    const firsts = [1_000, 60_000, 3_600_000, 86_400_000].map(formatAgo);
    expect(firsts).toEqual(['1 s ago', '1 min ago', '1 h ago', '1 d ago']);
  });
});

describe('the conversions', () => {
  it('shorten long addresses in the middle, and leave short ones', () => {
    expect(shortenAddress('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')).toBe('7xKX...gAsU');
    expect([shortenAddress('short'), shortenAddress('elevenchars')]).toEqual(['short', 'elevenchars']);
  });
  it('turn numbers into micro-CORD with six decimals', () => {
    expect(toMicro(1.925)).toBe(1_925_000n);
    expect(toMicro(9_999_999.999999)).toBe(9_999_999_999_999n);
  });
});

describe('another language', () => {
  afterEach(() => {
    setNumberLocale('en-GB');
    setUiTexts(UI_TEXTS);
  });

  it('sets separators and groups, with the same digits', () => {
    setNumberLocale('de');
    expect(formatCord(9_999_999.99)).toBe('9.999.999,99');
    expect(formatRate(1.925)).toBe('1,925000');
    expect(formatMultiplier(3.5)).toBe('×3,5');
    expect(formatCord(123_456_789_012_345_678_901_234n)).toBe('123.456.789.012.345.678,90');
    expect(formatK(870)).toBe('870');
    expect([formatK(1_000), formatK(1_870)]).toEqual(['1,0K', '1,8K']);
    setNumberLocale('en-IN');
    expect(formatCord(9_999_999.99)).toBe('99,99,999.99');
    setNumberLocale('es');
    expect(formatCord(9_999_999.99)).toBe('9.999.999,99');
    expect(formatSol(1_234_567_891n)).toBe('1,234567891 SOL');
  });

  it('sets the texts of units', () => {
    setUiTexts({ ...UI_TEXTS, ago: 'vor {span}', 'span.h': '{number} Std.', years: '{number} Jahre' });
    expect(formatAgo(3 * 3_600_000)).toBe('vor 3 Std.');
    expect(formatAge(5.4)).toBe('5.4 Jahre');
  });
});
