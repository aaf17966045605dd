import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { classesNamedIn, globalClasses, NOT_SHOWN } from './global-classes.ts';
import { sourceFiles } from './source-files.ts';
import { ROOT } from './workspaces.ts';

const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g;

const files = sourceFiles(['**/*.{ts,tsx,css}', 'storybook/.storybook/**']).map((file) => join(ROOT, file));
const code = textsOf(/\.tsx?$/);
const styles = textsOf(/\.module\.css$/);

function textsOf(names: RegExp) {
  const chosen = files.filter((file) => names.test(file));
  return new Map(chosen.map((file) => [file, readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '')]));
}

const shown = (file: string, name: string) => `${relative(ROOT, file)} ${name}`;

/** Uses of each CSS Module: `s.name`, or dynamically like `s[size]`, without a class name. */
const uses = [...code].flatMap(([file, text]) =>
  // A journey contains modules as texts, whose styles are not files.
  [...text.matchAll(IMPORT)]
    .filter(([, , to = '']) => styles.has(join(dirname(file), to)))
    .map(([, variable = '', to = '']) => ({
      file,
      css: join(dirname(file), to),
      names: new Set(
        [...text.matchAll(new RegExp(`(?<![\\w.])${variable}\\.([A-Za-z]\\w*)`, 'g'))].map(([, name]) => name),
      ),
      isOpen: new RegExp(`(?<![\\w.])${variable}(\\[|[,)])`).test(text),
    })),
);

it('each class that the code uses is in its CSS Module', () => {
  expect(uses.length).toBeGreaterThan(100);
  const missing = uses.flatMap(({ file, css, names }) =>
    [...names].flatMap((name = '') =>
      new RegExp(`\\.${name}(?![\\w-])`).test(styles.get(css) ?? '') ? [] : shown(file, name),
    ),
  );
  expect(missing).toEqual([]);
});

it('each class of a CSS Module is used by the code or composed', () => {
  const composed = [...styles.values()].flatMap((text) =>
    [...text.matchAll(/composes:\s*([^;]+);/g)].map(([, what = '']) => what),
  );
  const unused = [...styles].flatMap(([css, text]) => {
    const of = uses.filter((use) => use.css === css);
    if (of.some(({ isOpen }) => isOpen)) return [];
    const selectors = text.replace(/composes:[^;]*;/g, '').match(/[^{};]+(?=\{)/g) ?? [];
    const names = new Set(
      selectors.flatMap((each) => [...each.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name)),
    );
    return [...names]
      .filter((name) => !of.some((use) => use.names.has(name)))
      .filter((name) => !composed.some((what) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(what)))
      .map((name) => shown(css, name));
  });
  expect(unused).toEqual([]);
});

it('each global class that the code uses is in the style sheets of the design system', () => {
  const there = globalClasses(join(ROOT, 'storybook/ui'));
  const named = sourceFiles(['**/*.tsx', 'storybook/.storybook/**/*.tsx', NOT_SHOWN])
    .map((file) => join(ROOT, file))
    .flatMap((file) => classesNamedIn(file).map((name) => ({ file, name })));
  expect(named.length).toBeGreaterThan(200);
  const missing = named.flatMap(({ file, name }) => (there.includes(name) ? [] : shown(file, name)));
  expect(missing).toEqual([]);
});
