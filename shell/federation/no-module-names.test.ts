import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from '../../infra/build/source-files.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const FOLDERS = readdirSync(ROOT).filter((name) => name.startsWith('mfe-'));

/** Returns the sources of a folder, without files for tests and stories. */
function sourcesIn(folder: string): string[] {
  return sourceFiles([`${folder}/**/*.{ts,tsx}`, '!**/*.{test,stories,stage,fixtures}.{ts,tsx}', '!**/testing/**']);
}

const MODULES = FOLDERS.map((folder) => folder.replace('mfe-', ''));
const TABS = FOLDERS.flatMap((folder) => (JSON.parse(read(`${folder}/package.json`)) as Facts).cord.tab?.id ?? []);

interface Facts {
  cord: { tab?: { id: string } };
}

/** Returns the first part of the modules' own query keys: `queryKey: ['x'`, and results of functions named after a key. */
function queryKeysOfModules(): string[] {
  const found = FOLDERS.flatMap(sourcesIn).flatMap((file) =>
    [...read(file).matchAll(/(?:queryKey: |KEY = |return )\[\s*'([a-z-]+)'[^\]]*\](?=;| as const|,\n)/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(found)];
}

const any = (names: readonly string[]) => `(?:${names.join('|')})`;

const FORBIDDEN = {
  'the name of a module': new RegExp(`['"\`]mfe_${any(MODULES)}`),
  'a part or an action of a module': new RegExp(`['"\`]${any(MODULES)}/`),
  'the tab of a module': new RegExp(`(?:go\\(|tab=|tab: |(?:id|tab|current) [!=]== )['"]${any(TABS)}['"]`),
  'a query key of a module': new RegExp(`\\[\\s*'${any(queryKeysOfModules())}'`),
};

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

it('the modules and their query keys are found', () => {
  expect(MODULES).toEqual(expect.arrayContaining(['leaderboard', 'mining', 'referrals', 'tasks', 'wallet']));
  expect(TABS).toEqual(expect.arrayContaining(['leaderboard', 'node', 'tasks', 'referrals']));
  expect(queryKeysOfModules()).toEqual(
    expect.arrayContaining(['tasks', 'checkin', 'anticheat', 'away', 'compensation']),
  );
});

it.each(Object.entries(FORBIDDEN))('no source of the shell contains %s', (_what, pattern) => {
  const files = sourcesIn('shell').filter((file) => pattern.test(withoutComments(read(file))));
  expect(files).toEqual([]);
});
