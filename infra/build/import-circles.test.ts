import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { ROOT } from './workspaces.ts';

/** A value import or re-export of a neighbouring file; types and `import()` form no cycle at run time. */
const IMPORTED = /^(?:import|export)(?! type\b)(?:[^;'"]*?\bfrom)? *'(\.[^']+)'/gm;
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

/** @returns the groups of files that import each other (Tarjan's strongly connected components) */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    let least = order.get(file) as number;
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) least = Math.min(least, visit(next));
      else if (stack.includes(next)) least = Math.min(least, order.get(next) as number);
    }
    if (least === order.get(file)) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || imports.get(file)?.includes(file)) found.push(group);
    }
    return least;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return found;
}

it('circlesIn finds a cycle of two and one of three, and no other', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['a', 'c']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['c']],
    ['f', ['a', 'c']],
  ]);
  expect(circlesIn(imports).map((group) => group.sort().join(''))).toEqual(['cde', 'ab']);
});

it('no source files import each other in a cycle', () => {
  const sources = sourceFiles(['**/*.{ts,tsx,mjs}', 'storybook/.storybook/*.{ts,tsx}']);
  const files = new Set(sources.map((file) => join(ROOT, file)));
  const imports = new Map(
    [...files].map((file): [string, string[]] => [
      file,
      [...readFileSync(file, 'utf8').matchAll(IMPORTED)].flatMap(([, to = '']) => {
        const path = join(dirname(file), to);
        return ENDINGS.map((ending) => path + ending).find((each) => files.has(each)) ?? [];
      }),
    ]),
  );
  expect(imports.size).toBeGreaterThan(1_000);
  expect(circlesIn(imports).map((group) => group.map((file) => relative(ROOT, file)))).toEqual([]);
});
