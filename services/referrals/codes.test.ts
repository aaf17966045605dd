import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';
import { expect, test } from 'vitest';
import { drawCode } from './codes.js';

test('a code has 8 characters, none of which is taken for another when it is read out', () => {
  const codes = Array.from({ length: 1_000 }, drawCode);
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  expect(new Set(codes.join('')).size).toBe(32);
  expect(new Set(codes).size).toBe(codes.length);
});

test('a code with those characters is taken all the same: older codes have them', () => {
  expect(isReferralCode(normaliseCode(' io01zz '))).toBe(true);
  expect(isReferralCode(normaliseCode('IO01ABCD'))).toBe(true);
});
