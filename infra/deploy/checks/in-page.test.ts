import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

/** Returns the code passed to `page.evaluate(`, up to its closing bracket, as tsx compiles it for the command line. */
function runInPages(source: string): string[] {
  const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'node20', keepNames: true });
  return code.split('.evaluate(').slice(1).map(upToItsEnd);
}

function upToItsEnd(text: string): string {
  let depth = 1;
  const end = [...text].findIndex((sign) => {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    return depth === 0;
  });
  return text.slice(0, end);
}

test('code that a publish runs in a page calls no tsx helper, which pages do not have', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname, ignore: '*.test.ts' });
  const run = files.flatMap((file) => runInPages(readFileSync(join(import.meta.dirname, file), 'utf8')));
  expect(run.length).toBeGreaterThan(1);
  expect(run.filter((each) => each.includes('__name'))).toEqual([]);
});

test('a named function inside an evaluate call is found, and no other code after it', () => {
  const source =
    'page.evaluate(async () => { const named = () => 1; return named(); }); page.evaluate(() => 1); f(() => g)';
  expect(runInPages(source).map((each) => each.includes('__name'))).toEqual([true, false]);
});
