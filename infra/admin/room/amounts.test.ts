import { expect, test } from 'vitest';
import { exactChange, exactCord, inThousands } from './amounts';

test.each([
  [50.5, '50.50'],
  [0.000001, '0.000001'],
  [1_234, '1,234.00'],
])('%d CORD keeps every significant decimal, at least two', (cord, text) => {
  expect(exactCord(cord)).toBe(text);
});

test.each([
  [0.000001, '+0.000001'],
  [-50.5, '-50.50'],
  [0, '0.00'],
])('a change of %d CORD has its sign, and zero has none', (cord, text) => {
  expect(exactChange(cord)).toBe(text);
});

test.each([
  [999.99, '999.99'],
  [1_000, '1.0K'],
  [12_345.6, '12.3K'],
])('%d CORD is shortened to thousands', (cord, text) => {
  expect(inThousands(cord)).toBe(text);
});
