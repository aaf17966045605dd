import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript of the build, without types
import { exportsOf } from './export-signatures.mjs';
// @ts-expect-error: plain JavaScript of the build, without types
import { exportProblems, rangeProblems, sinceOf } from './exports.mjs';

/** What a package of these files exports. */
function packageOf(files: Record<string, string>): Record<string, string> {
  const dir = mkdtempSync(path.join(tmpdir(), 'exports-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  return exportsOf(dir);
}

const FILES = {
  'index.ts': "export { greet, type Guest } from './greet';\nexport { atom } from 'nanostores';",
  'greet.ts': `import type { Name } from './name';
    export interface Guest { name: Name }
    export function greet(guest: Guest, loud = false): string { return loud ? 'HEY' : 'hey'; }`,
  'name.ts': 'export type Name = { first: string };',
};
const inside = (file: keyof typeof FILES, from: string, to: string) => ({
  ...FILES,
  [file]: FILES[file].replace(from, to),
});

test('a signature holds the types of the package behind it, and nothing of what a function does', () => {
  const before = packageOf(FILES);
  expect(Object.keys(before)).toEqual(['Guest', 'atom', 'greet']);
  expect(before.greet).toContain('first: string');
  expect(packageOf(inside('greet.ts', "'HEY'", "'HI'"))).toEqual(before);
  expect(packageOf(inside('name.ts', 'string', 'number')).greet).not.toBe(before.greet);
  expect(packageOf(inside('greet.ts', 'Guest, loud = false', 'Guest')).greet).not.toBe(before.greet);
});

test('a function that does not say what it gives is named', () => {
  expect(() => packageOf(inside('greet.ts', '): string', ')'))).toThrow('greet must say the type');
});

const RECORD = { version: '2.3.0', exports: { a: 'A', b: 'B' } };

test.each([
  ['a new export', { a: 'A', b: 'B', c: 'C' }, '2.4.0'],
  ['one that is gone', { a: 'A' }, '3.0.0'],
  ['one that is another', { a: 'A', b: 'B2' }, '3.0.0'],
])('%s wants its version raised, and then to be recorded', (_what, exports, least) => {
  const late = exportProblems('@cord/sdk', RECORD, { version: '2.3.9', exports });
  expect(late.at(-1)).toBe(`@cord/sdk 2.3.9 must be ${least} for this`);
  const raised = exportProblems('@cord/sdk', RECORD, { version: least, exports });
  expect(raised.at(-1)).toBe('@cord/sdk: npm run exports -- record');
});

test('the same exports want nothing, whatever the version', () => {
  expect(exportProblems('@cord/sdk', RECORD, { version: '2.5.0', exports: RECORD.exports })).toEqual([]);
});

test('a module that takes what came later than its range says is named', () => {
  const sdk = { ...RECORD, version: '2.10.0', since: { b: '2.10.0' } };
  const problems = (sdkRange: string, names: string[]) =>
    rangeProblems('mfe-x', { sdk: names, ui: [] }, { sdk: sdkRange, ui: '^1.0.0' }, { sdk, ui: RECORD });
  expect(problems('^2.9.0', ['a', 'b'])).toEqual(['mfe-x/package.json: @cord/sdk is ^2.9.0, but b came with 2.10.0']);
  expect(problems('^2.10.0', ['a', 'b'])).toEqual([]);
  expect(problems('^2.9.0', ['a'])).toEqual([]);
});

test('when an export came is recorded with it, and forgotten with the major version', () => {
  const later = { version: '2.4.0', exports: { ...RECORD.exports, c: 'C' } };
  expect(sinceOf({ ...RECORD, since: { b: '2.3.0' } }, later)).toEqual({ b: '2.3.0', c: '2.4.0' });
  expect(sinceOf({ ...RECORD, since: { b: '2.3.0' } }, { version: '3.0.0', exports: { a: 'A' } })).toEqual({});
});
