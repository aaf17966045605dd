import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { buildProblems } from '../checks/build.js';
import { builtFolder } from '../test/built-folder.js';
import { findCandidate } from './candidate.js';

const LIVE = { sdk: '2.1.0', ui: '2.0.0' };
const shared = [{ name: '@cord/sdk', requiredVersion: '^2.0.0' }];
const parts = [{ name: 'sky', words: { en: 'Sky' }, room: 'card', place: 'dashboard.cards', order: 90 }];
const manifest = { name: 'mfe_weather', shared, exposes: [{ name: 'page' }, { name: 'parts' }], cord: { parts } };
const PACKAGE = {
  name: '@acme/mfe-weather',
  version: '1.2.0',
  dependencies: { '@cord/sdk': 'file:../sdk.tgz', '@cord/ui': '^2.0.0' },
  peerDependencies: { '@cord/sdk': '^2.0.0' },
};

/** Makes a module as in another repository. */
function module({ packageJson = PACKAGE as object, files = {} as Record<string, string> } = {}) {
  const built = { 'dist/mf-manifest.json': JSON.stringify(manifest), 'dist/remoteEntry.js': 'entry' };
  return builtFolder({ 'package.json': JSON.stringify(packageJson), ...built, ...files });
}

const disposed: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposed.splice(0)) await dispose();
});
async function prepared(given: string) {
  const candidate = await findCandidate(given);
  disposed.push(candidate.dispose);
  return { name: candidate.name, ...(await candidate.prepare()) };
}

test('a module of another repository is prepared from its folder, and the same build has the same version', async () => {
  const folder = module({ files: { 'page.tsx': 'sources', 'dist/assets/page.js': 'x'.repeat(2_000) } });
  const fromFolder = await prepared(folder);
  expect((await prepared(folder)).built.version).toBe(fromFolder.built.version);
  expect(fromFolder).toMatchObject({
    name: 'mfe_weather',
    built: {
      name: 'mfe_weather',
      version: expect.stringMatching(/^1\.2\.0-[0-9a-f]{12}$/),
      sdk: '^2.0.0',
      ui: '^2.0.0',
    },
    problems: [],
  });
  expect(await buildProblems(fromFolder.built, LIVE)).toEqual([]);
  expect(readdirSync(fromFolder.built.folder).sort()).toEqual(['assets', 'mf-manifest.json', 'remoteEntry.js']);
  // Compressed in the copy, not among the sources.
  expect(existsSync(path.join(fromFolder.built.folder, 'assets/page.js.br'))).toBe(true);
  expect(existsSync(path.join(folder, 'dist/assets/page.js.br'))).toBe(false);
  writeFileSync(path.join(folder, 'dist/remoteEntry.js'), 'another entry');
  expect((await prepared(folder)).built.version).not.toBe(fromFolder.built.version);
});

test('a folder is built by its own build, whose output is reported if it fails', async () => {
  const packageJson = { ...PACKAGE, scripts: { build: 'node build.mjs' } };
  const build = "import { writeFileSync } from 'node:fs'; writeFileSync('dist/made.js', 'by its own build');";
  const { built } = await prepared(module({ packageJson, files: { 'build.mjs': build } }));
  expect(readFileSync(path.join(built.folder, 'made.js'), 'utf8')).toBe('by its own build');
  const broken = module({ packageJson, files: { 'build.mjs': "throw new Error('no sky');" } });
  await expect(prepared(broken)).rejects.toThrow(/its own build failed:(.|\n)*no sky/);
});

test('dispose removes the copy that was made for the publish', async () => {
  const candidate = await findCandidate(module());
  const { built } = await candidate.prepare();
  expect(existsSync(built.folder)).toBe(true);
  await candidate.dispose();
  expect(existsSync(built.folder)).toBe(false);
});

test.each([
  ['has no dist', { packageJson: { ...PACKAGE, version: '1.0.0' }, noDist: true }, '@acme/mfe-weather has no dist'],
  ['is no module by its name', { packageJson: { ...PACKAGE, name: 'weather' } }, 'has the name "weather"'],
  ['has a version that is none', { packageJson: { ...PACKAGE, version: 'next' } }, 'has the version "next"'],
  [
    'does not name its sdk',
    { packageJson: { ...PACKAGE, peerDependencies: {} } },
    '@cord/sdk is "file:../sdk.tgz", not a range',
  ],
])(
  'a folder that %s is rejected',
  async (_what, { packageJson, noDist = false }: { packageJson: object; noDist?: boolean }, reason) => {
    const folder = noDist ? builtFolder({ 'package.json': JSON.stringify(packageJson) }) : module({ packageJson });
    await expect(prepared(folder)).rejects.toThrow(reason);
  },
);

test('faults of the build are reported as for every module', async () => {
  const differing = { ...manifest, name: 'mfe_rain', shared: [{ name: '@cord/sdk', requiredVersion: '^2.1.0' }] };
  const files = { 'dist/mf-manifest.json': JSON.stringify({ ...differing, cord: { parts: [{ name: 'sky' }] } }) };
  const { built } = await prepared(module({ files }));
  expect(await buildProblems(built, { ...LIVE, ui: '3.0.0' })).toEqual([
    'range: it needs ui ^2.0.0, the shell in use has 3.0.0',
    'range: package.json has sdk ^2.0.0, the build requires ^2.1.0',
    'manifest: it belongs to mfe_rain, not to mfe_weather',
    expect.stringMatching(/^facts: parts\[0\]\.words needs en/),
    expect.stringMatching(/^facts: parts\[0\]\.room is not one of/),
  ]);
});

test('a module that does not exist is rejected by name', async () => {
  await expect(findCandidate('weather')).rejects.toThrow('no module weather: not in this checkout');
  await expect(findCandidate('./nowhere')).rejects.toThrow('no module ./nowhere: ');
});

test('a module of the checkout is found by each spelling of its name', async () => {
  const folder = path.join(import.meta.dirname, '../../../mfe-tasks');
  for (const given of ['tasks', 'mfe-tasks', 'mfe_tasks', folder, `${folder}/`])
    expect((await findCandidate(given)).name, given).toBe('mfe_tasks');
});

test('a build that has a link, or is one, is rejected by name', async () => {
  const secret = path.join(builtFolder({ id_rsa: 'private' }), 'id_rsa');
  const withLink = module();
  symlinkSync(secret, path.join(withLink, 'dist/key.js'));
  await expect(prepared(withLink)).rejects.toThrow('dist/key.js is a link');
  const withFolder = module();
  symlinkSync(path.dirname(secret), path.join(withFolder, 'dist/keys'));
  await expect(prepared(withFolder)).rejects.toThrow('dist/keys is a link');
  const isLink = module();
  renameSync(path.join(isLink, 'dist'), path.join(isLink, 'built'));
  symlinkSync(path.join(isLink, 'built'), path.join(isLink, 'dist'));
  await expect(prepared(isLink)).rejects.toThrow('dist is not a folder');
});
