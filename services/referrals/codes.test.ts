import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';
import { expect, test } from 'vitest';
import { drawCode } from './codes.js';

test('a code has 8 characters, without those that are easily confused', () => {
  const codes = Array.from({ length: 1_000 }, drawCode);
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  expect(new Set(codes.join('')).size).toBe(32);
  expect(new Set(codes).size).toBe(codes.length);
});

test('an older code with such characters is still valid', () => {
  expect(isReferralCode(normaliseCode(' io01zz '))).toBe(true);
  expect(isReferralCode(normaliseCode('IO01ABCD'))).toBe(true);
});
