import { expect, test } from 'vitest';
import { z } from 'zod';
import { numberToMicro } from '../rules/money.js';
import { decimalsAtMost } from './fields.js';

test('what has at most six decimals is a number of micro-CORD, and nothing else is taken', () => {
  const amount = decimalsAtMost(6, z.number().min(0).max(10_000));
  for (const good of [0, 1, 0.000001, 12.345678, 9_999.999999]) {
    expect(amount.safeParse(good).success, String(good)).toBe(true);
    expect(() => numberToMicro(good)).not.toThrow();
  }
  for (const bad of [1e-7, 5e-7, 1.0117048911540975e-136, Number.MIN_VALUE, 0.1 + 0.2, 12.3456789, Number.NaN])
    expect(amount.safeParse(bad).success, String(bad)).toBe(false);
});
