import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exportProblems, exportsOf, rangeProblems, recordOf } from './exports.ts';
import { classesNamedIn, globalClasses } from './global-classes.ts';

function packageWith(text: string): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'exports-'));
  writeFileSync(path.join(dir, 'index.ts'), text);
  return dir;
}

test('exportsOf returns the values and types that the index of a package names', () => {
  const index =
    "import './styles';\nexport { greet as hail, type Guest } from './greet';\nexport { atom } from 'nanostores';";
  expect(exportsOf(packageWith(index))).toEqual(['Guest', 'atom', 'hail']);
  expect(() => exportsOf(packageWith("export * from './greet';"))).toThrow('name each export');
});

const RECORD = { version: '2.3.0', exports: { a: '2.0.0', b: '2.3.0' } };

test.each([
  ['a new export', ['a', 'b', 'c'], '2.4.0'],
  ['one that is gone', ['a'], '3.0.0'],
])('%s requires a higher version, then a new record', (_what, names, least) => {
  const late = exportProblems('@cord/sdk', RECORD, { version: '2.3.9', names });
  expect(late.at(-1)).toBe(`@cord/sdk 2.3.9 must be ${least} for this`);
  const raised = exportProblems('@cord/sdk', RECORD, { version: least, names });
  expect(raised.at(-1)).toBe('@cord/sdk: npx cord exports record');
});

test('unchanged exports require nothing, whatever the version', () => {
  expect(exportProblems('@cord/sdk', RECORD, { version: '2.5.0', names: ['a', 'b'] })).toEqual([]);
});

test('a module that uses an export newer than its range is reported', () => {
  const sdk = { version: '2.10.0', exports: { a: '2.0.0', b: '2.10.0' } };
  const problems = (sdkRange: string, names: string[]) =>
    rangeProblems('mfe-x', { sdk: names, ui: [] }, { sdk: sdkRange, ui: '^1.0.0' }, { sdk, ui: RECORD });
  expect(problems('^2.9.0', ['a', 'b'])).toEqual(['mfe-x/package.json: @cord/sdk is ^2.9.0, but b needs 2.10.0']);
  expect(problems('^2.10.0', ['a', 'b'])).toEqual([]);
  expect(problems('^2.9.0', ['a'])).toEqual([]);
});

test('global classes count as exports of the design system: one newer than the range is reported', () => {
  const dir = packageWith('');
  for (const sheet of ['reset', 'tones'])
    writeFileSync(path.join(dir, `${sheet}.css`), '/* .l-gone */ * { margin: 0 }');
  writeFileSync(path.join(dir, 'type.css'), '.t-cut { color: red; }\n.t-icon > svg { margin: 0 }');
  writeFileSync(path.join(dir, 'layout.css'), '.l-lines > * + * { border: 0 }');
  expect(globalClasses(dir)).toEqual(['l-lines', 't-cut', 't-icon']);

  const [code, sheet] = [path.join(dir, 'page.tsx'), path.join(dir, 'page.module.css')];
  writeFileSync(code, '<ul className="l-lines"><li className={cx(\'t-cut t-icon\', s.row)}>a t-shirt</li></ul>');
  writeFileSync(sheet, '.row { composes: t-cut l-lines from global; composes: head from "./head.module.css"; }');
  expect(classesNamedIn(code)).toEqual(['l-lines', 't-cut', 't-icon']);
  expect(classesNamedIn(sheet)).toEqual(['t-cut', 'l-lines']);

  const ui = { version: '3.2.0', exports: { '.t-cut': '3.0.0', '.l-lines': '3.2.0' } };
  const ranges = { sdk: '^2.3.0', ui: '^3.1.0' };
  const taken = { sdk: [], ui: classesNamedIn(sheet).map((name) => `.${name}`) };
  expect(rangeProblems('mfe-x', taken, ranges, { sdk: RECORD, ui })).toEqual([
    'mfe-x/package.json: @cord/ui is ^3.1.0, but .l-lines needs 3.2.0',
  ]);
});

test('a record keeps the first version of each export, and restarts with a major version', () => {
  expect(recordOf(RECORD, { version: '2.4.0', names: ['a', 'b', 'c'] })).toEqual({
    version: '2.4.0',
    exports: { a: '2.0.0', b: '2.3.0', c: '2.4.0' },
  });
  expect(recordOf(RECORD, { version: '3.0.0', names: ['a'] })).toEqual({ version: '3.0.0', exports: { a: '3.0.0' } });
});
