import { expect, it } from 'vitest';
import { inCaretRange } from './caret-range.ts';

it.each([
  ['1.0.0', '^1.0.0', true],
  ['1.2.0', '^1.0.3', true],
  ['1.0.2', '^1.0.3', false],
  ['2.0.0', '^1.0.0', false],
  ['1.1.0-3fa9', '^1.1.0', true],
])('version %s is in range %s: %s', (version, range, inside) => {
  expect(inCaretRange(version, range)).toBe(inside);
});
