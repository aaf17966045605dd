import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { recordedExports } from '@cord/build/exports.ts';
import { afterEach, expect, test } from 'vitest';
import { sandboxedLaunch } from '../../test/chromium.ts';
import { builtFolder } from '../test/built-folder.js';
import { buildProblems } from './build.js';
import { sourceProblems } from './sources.js';

const SDK = recordedExports().sdk.version;
const LIVE = { sdk: '1.3.0', ui: '1.0.0' };
const RANGES = { sdk: '^1.3.0', ui: '^1.0.0' };
const page = { name: 'page', assets: { js: { sync: ['page.js'], async: [] }, css: { sync: ['page.css'] } } };
const TAB = { id: 'room', words: { en: 'Room' }, icon: 'list', order: 60, for: 'signed-in' };
const manifest = { name: 'mfe_tasks', metaData: { remoteEntry: { name: 'remoteEntry.js' } }, exposes: [page] };

/** Checks a build with that manifest, and fewer or more files than usual. */
function problemsOf(given: {
  manifest?: object | null;
  files?: Record<string, string>;
  ranges?: object;
  live?: object;
  modules?: object;
}) {
  const usual = { 'remoteEntry.js': 'entry', 'page.js': 'page', 'page.css': 'p{}' };
  const manifestFile =
    given.manifest === null ? {} : { 'mf-manifest.json': JSON.stringify(given.manifest ?? manifest) };
  const folder = builtFolder({ ...(given.files ?? usual), ...manifestFile });
  const built = { name: 'mfe_tasks', version: '1', folder, ...RANGES, ...given.ranges };
  return buildProblems(built as never, { ...LIVE, ...given.live }, (given.modules ?? {}) as never);
}

test('a complete build within its ranges has no problem', async () => {
  expect(await problemsOf({})).toEqual([]);
});

test.each([
  ['wants a newer sdk', { ranges: { sdk: '^1.4.0' } }, 'range: it needs sdk ^1.4.0, the shell in use has 1.3.0'],
  ['wants another ui', { ranges: { ui: '^2.0.0' } }, 'range: it needs ui ^2.0.0, the shell in use has 1.0.0'],
  ['has no manifest', { manifest: null }, 'manifest: the build has no mf-manifest.json'],
  [
    'has a manifest that was cut off',
    { files: { 'mf-manifest.json': '{"name":' }, manifest: null },
    'manifest: mf-manifest.json cannot be read',
  ],
  [
    'is another module',
    { manifest: { ...manifest, name: 'mfe_x' } },
    'manifest: it belongs to mfe_x, not to mfe_tasks',
  ],
  ['exposes nothing', { manifest: { ...manifest, exposes: [] } }, 'manifest: it exposes nothing'],
  [
    'takes what the sdk in use does not export',
    {
      manifest: { ...manifest, cord: { surface: { sdk: ['useSdk', 'useTomorrow'], ui: [] } } },
      live: { sdk: SDK },
      ranges: { sdk: `^${SDK}` },
    },
    expect.stringMatching(/^incompatible: it uses useTomorrow of @cord\/sdk \d+\.\d+\.\d+, which does not export it$/),
  ],
  [
    "brings another module's tab",
    {
      manifest: { ...manifest, cord: { tab: TAB, parts: [] } },
      modules: { mfe_tasks: { tab: TAB }, mfe_room: { tab: { ...TAB, id: 'hall' }, canary: { tab: TAB } } },
    },
    'facts: the tab room belongs to mfe_room',
  ],
  [
    'exposes what nobody uses',
    { manifest: { ...manifest, exposes: [page, { name: 'secret' }] } },
    'manifest: it exposes ./secret; the shell uses ./page and ./parts only',
  ],
  [
    'lacks a file that it names',
    { files: { 'remoteEntry.js': '', 'page.js': '' } },
    'manifest: it names page.css, which does not exist',
  ],
  [
    'is too large',
    { files: { 'remoteEntry.js': '', 'page.css': '', 'page.js': randomBytes(32_000).toString('base64') } },
    expect.stringMatching(/^size: 3[12]\.\d KiB of own code, at most 30\.0 KiB$/),
  ],
])('a build that %s has one problem, which names it', async (_what, given, problem) => {
  expect(await problemsOf(given)).toEqual([problem]);
});

// Inside the checkout, where the tools look; git and other suites ignore it.
const scratch = path.join(import.meta.dirname, '../.cache');
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

test('type and lint errors are reported with their place, except in tests of a module', async () => {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(path.join(scratch, 'module-'));
  writeFileSync(path.join(folder, 'page.ts'), "export const answer: number = 'forty-two';\n");
  writeFileSync(path.join(folder, 'page.test.ts'), "export const wrong: number = 'in a test';\n");
  const wrongType = await sourceProblems(folder);
  expect(wrongType).toEqual([expect.stringMatching(/^types: .*page\.ts\(1,14\): error TS2322: Type 'string'/)]);
  writeFileSync(path.join(folder, 'page.ts'), 'export function stop(): void {\n  debugger;\n}\n');
  const bad = await sourceProblems(folder);
  expect(bad).toEqual([
    expect.stringMatching(/^lint: infra\/deploy\/.*\/page\.ts\(2\): .*debugger.* \(lint\/suspicious\/noDebugger\)$/),
  ]);
  writeFileSync(path.join(folder, 'page.ts'), 'export const answer = 42;\n');
  expect(await sourceProblems(folder)).toEqual([]);
});

test('unreviewed code runs in Chromium’s sandbox, except for root, who cannot have one', () => {
  expect(sandboxedLaunch(1_000)).toMatchObject({
    chromiumSandbox: true,
    args: expect.not.arrayContaining(['--no-sandbox']),
  });
  expect(sandboxedLaunch(0)).toMatchObject({ chromiumSandbox: false, args: expect.arrayContaining(['--no-sandbox']) });
});
