import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { webPackages } from './built.ts';
import { ROOT } from './workspaces.ts';

/** tsx's helper for function names, absent in pages: a runtime that a bundler writes from a function's text must not call it. */
const HELPER = /\b__name\(/;

test.each(webPackages().map(({ dir }) => dir))('the built files of %s call no tsx helper', (dir) => {
  const files = globSync('dist/**/*.js', { cwd: join(ROOT, dir) });
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => HELPER.test(readFileSync(join(ROOT, dir, file), 'utf8')))).toEqual([]);
});
