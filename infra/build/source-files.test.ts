import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { REPLACING } from '../../vitest.config.ts';
import { sourceFiles } from './source-files.ts';
import { ROOT } from './workspaces.ts';

function folderWith(files: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cord-sources-'));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
  return folder;
}

it('installed, built and generated files are not sources', () => {
  const folder = folderWith([
    'mining/b.ts',
    'mining/a/c.ts',
    'mining/a/c.test.ts',
    'mining/.cache/simulation/copy.ts',
    'mining/.data/kept.ts',
    'mining/node_modules/package/index.ts',
    'mining/dist/b.ts',
    'storybook-static/story.ts',
    '.git/hook.ts',
  ]);
  expect(sourceFiles(['**/*.ts', '!**/*.test.ts'], folder)).toEqual(['mining/a/c.ts', 'mining/b.ts']);
  expect(sourceFiles(['mining/**', 'mining/.*/**'], folder)).not.toContain('mining/.cache/simulation/copy.ts');
});

it('a dot folder is read only when a pattern names it, and a missing folder has no files', () => {
  const folder = folderWith(['book/.storybook/main.ts', 'book/page.ts']);
  expect(sourceFiles(['book/**', 'book/.storybook/**'], folder)).toEqual(['book/.storybook/main.ts', 'book/page.ts']);
  expect(sourceFiles('**', path.join(folder, 'elsewhere'))).toEqual([]);
});

/** Files that read folders other than sources. */
const OTHER_FOLDERS: Readonly<Record<string, string>> = {
  'infra/build/precompress.ts': 'a build',
  'infra/deploy/candidates/outside.ts': 'a build',
  'infra/deploy/services/release.ts': 'the build of a service with its packages',
  'infra/deploy/store/folder-store.ts': 'the store of releases',
  'infra/dev/test/production-system.test.ts': 'builds',
  'infra/e2e/journeys/releases.test.ts': 'a build',
  'infra/test/kit/release.ts': 'installed packages',
};

it('only the listed files walk over folders themselves', () => {
  const walking = sourceFiles('**/*.{ts,tsx,mjs}').filter((file) =>
    /\breaddir(Sync)?\((?:[^()]|\([^()]*\))*?\b(recursive|withFileTypes): true/.test(
      readFileSync(path.join(ROOT, file), 'utf8'),
    ),
  );
  expect(walking).toEqual(Object.keys(OTHER_FOLDERS));
});

it('a test of services or infra that replaces a module runs isolated', () => {
  const replacing = sourceFiles('{services,infra}/**/*.test.ts').filter((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes('\nvi.mock('),
  );
  expect(replacing).not.toEqual([]);
  expect(sourceFiles(REPLACING)).toEqual(expect.arrayContaining(replacing));
});
