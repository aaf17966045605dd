import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { checkNode, hasDevelopment, isInstalled } from '../starter/install.mjs';

type Packages = Record<string, { version: string; optional?: boolean; link?: boolean; dev?: boolean }>;

async function checkout(wanted: Packages, installed: Packages | undefined): Promise<string> {
  const made = stopAfterTest(await scratch());
  await writeFile(join(made.folder, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (installed) {
    await mkdir(join(made.folder, 'node_modules'));
    await writeFile(join(made.folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  return made.folder;
}

const koa = { 'node_modules/koa': { version: '3.3.0' } };

test.each<[string, Packages, Packages | undefined, boolean]>([
  ['nothing is installed', koa, undefined, false],
  ['all of it is', { '': { version: '1.0.0' }, ...koa }, koa, true],
  ['a version differs', koa, { 'node_modules/koa': { version: '3.2.0' } }, false],
  ['a package is missing', { ...koa, 'node_modules/zod': { version: '4.0.0' } }, koa, false],
  [
    'only another platform has it',
    { ...koa, 'node_modules/fsevents': { version: '2.0.0', optional: true } },
    koa,
    true,
  ],
])('a start detects whether npm ci is needed when %s', async (_what, wanted, installed, expected) => {
  expect(await isInstalled(await checkout(wanted, installed))).toBe(expected);
});

test.each([
  ['a start', {}, true],
  ['the tests', { development: true }, false],
])('only the tests need the development packages: %s', async (_whom, wanted, expected) => {
  const lock = { ...koa, 'node_modules/vitest': { version: '4.1.12', dev: true } };
  expect(await isInstalled(await checkout(lock, koa), wanted)).toBe(expected);
});

test.each<[string, Packages | undefined, boolean]>([
  ['has what only development needs', { ...koa, 'node_modules/vitest': { version: '4.1.11', dev: true } }, true],
  ['has none of it', koa, false],
  ['has nothing', undefined, false],
])(
  'development packages are kept only where they are installed: a checkout that %s',
  async (_what, installed, expected) => {
    expect(await hasDevelopment(await checkout(koa, installed))).toBe(expected);
  },
);

test.each([
  ['18.20.4', false],
  ['20.19.9', false],
  ['20.20.0', true],
  ['21.7.3', false],
  ['22.1.0', false],
  ['22.12.0', true],
  ['23.11.1', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is new enough: %s', (version, fits) => {
  if (fits) expect(() => checkNode(version)).not.toThrow();
  else expect(() => checkNode(version)).toThrow(version);
});

test('package.json requires the same Node versions as the start', () => {
  expect(manifest.engines.node).toBe('^20.20.0 || ^22.12.0 || >=24.0.0');
});
