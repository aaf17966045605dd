import { expect, test } from 'vitest';
import { exactChange, exactCord, inThousands } from './amounts';

test.each([
  [50.5, '50.50'],
  [0.000001, '0.000001'],
  [1_234, '1,234.00'],
])('%d CORD keeps every decimal that counts, two at least', (cord, text) => {
  expect(exactCord(cord)).toBe(text);
});

test.each([
  [0.000001, '+0.000001'],
  [-50.5, '-50.50'],
  [0, '0.00'],
])('a change of %d CORD has its sign, none without a change', (cord, text) => {
  expect(exactChange(cord)).toBe(text);
});

test.each([
  [999.99, '999.99'],
  [1_000, '1.0K'],
  [12_345.6, '12.3K'],
])('%d CORD as a figure', (cord, text) => {
  expect(inThousands(cord)).toBe(text);
});
