import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RIM_SHARE, RIMS, rimColour, TOKENS } from './colours.js';

const css = readFileSync(new URL('../../../storybook/ui/tokens.css', import.meta.url), 'utf8');

test.each(Object.entries(TOKENS))('%s equals the token of the design system', (name, { light, dark }) => {
  expect(css).toContain(`--${name}: light-dark(${light}, ${dark});`);
});

test.each(['base', 'age', 'epoch', 'badge'] as const)('the rim of %s is mixed as in the design system', (strand) => {
  const mix = (scheme: 'light' | 'dark') =>
    `color-mix(in srgb, ${TOKENS[`y-${strand}`][scheme]} ${RIM_SHARE[scheme]}%, ${RIMS[strand][scheme]})`;
  expect(css).toContain(`--y-${strand}-rim: light-dark(${mix('light')}, ${mix('dark')});`);
});

test('a rim has the colour that a browser computes', () => {
  expect(rimColour('base', 'light')).toBe('#a69776');
  expect(rimColour('epoch', 'dark')).toBe('#233c53');
});
