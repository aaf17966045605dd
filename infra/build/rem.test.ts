import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { webPackages } from './built.ts';
import inRem from './rem.mjs';
import { ROOT } from './workspaces.ts';

/** Returns the loader's output for a style sheet, on one line. */
function built(css: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const callback = (error?: Error | null, code?: string | Buffer) =>
      error ? reject(error) : resolve(String(code).replace(/\s+/g, ' '));
    inRem.call({ resourcePath: 'a.module.css', sourceMap: false, callback }, css);
  });
}

test('lengths in rules, variables, fallbacks, sums and queries are converted to rem', async () => {
  expect(await built('.a { font: 15px / 22px serif; width: calc(100% - 18px) }')).toContain(
    'width: calc(100% - 1.125rem); font: .9375rem / 1.375rem serif;',
  );
  expect(await built('.a { --gap: -12px; height: var(--high, 44px) }')).toContain(
    '--gap: -.75rem; height: var(--high, 2.75rem);',
  );
  expect(await built('@media (width < 768px) { .a { gap: 4px } }')).toBe(
    '@media (width < 48rem) { .a { gap: .25rem; } } ',
  );
  expect(await built('@container (max-width: 290px) { .a { gap: 4px } }')).toContain('(width <= 18.125rem)');
});

test('line widths stay in px, and strokes stay in the units of their drawing', async () => {
  expect(await built('.a { border: 1px solid red; outline: 3px solid red; padding: 2px 4px }')).toBe(
    '.a { border: 1px solid red; outline: 3px solid red; padding: 2px .25rem; } ',
  );
  expect(await built('.a { stroke-dasharray: 100 200; stroke-width: 6; width: 16px }')).toBe(
    '.a { stroke-dasharray: 100 200; stroke-width: 6px; width: 1rem; } ',
  );
});

test.each(webPackages().map(({ dir }) => dir))('%s has no font size or query in px', (dir) => {
  const files = globSync('dist/{*.html,assets/*.css}', { cwd: join(ROOT, dir) });
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) => {
    const styles = readFileSync(join(ROOT, dir, file), 'utf8');
    return styles.match(/(font(-size)?:[^;}]*[\d.]px|@(media|container)[^{]*[\d.]px)/g) ?? [];
  });
  expect(found).toEqual([]);
});
