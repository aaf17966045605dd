import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOfModule, moduleFolders } from './built.ts';
import { moduleName } from './module-name.ts';
import { ROOT } from './workspaces.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const lint = JSON.parse(read('biome.json'));
const types = JSON.parse(read('tsconfig.web.json'));
const inLint = lint.overrides
  .filter((one: { linter: unknown }) => JSON.stringify(one).includes('nothing imports another module'))
  .flatMap((one: { includes: string[] }) => one.includes);

const inTypes: string[] = types.include;

/** Whether globs such as `mfe-*\/**` contain a folder. */
const isIn = (dir: string, globs: string[]) =>
  globs.some((glob) => new RegExp(`^${glob.replace(/\/\*\*.*$/, '').replaceAll('*', '[^/]*')}(/|$)`).test(dir));

describe('the list of modules', () => {
  it.each(moduleFolders())('%s is in the import rules of the lint and in the files of the type check', (dir) => {
    expect(isIn(dir, inLint)).toBe(true);
    expect(isIn(dir, inTypes)).toBe(true);
  });

  it.each(moduleFolders())('%s is found by each of its names', (dir) => {
    const name = moduleName(dir) ?? '';
    for (const text of [dir, name, name.replace('mfe_', ''), name.replaceAll('_', '-')])
      expect(folderOfModule(text), text).toBe(dir);
  });

  it('returns nothing for the shell or an unknown name', () => {
    expect(folderOfModule('shell')).toBeNull();
    expect(folderOfModule('weather')).toBeNull();
  });
});
