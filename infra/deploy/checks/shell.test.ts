import { expect, test } from 'vitest';
import { builtFolder } from '../test/built-folder.js';
import { shellProblems } from './shell.js';
import { shellTrial } from './smoke.js';

const HTML = '<link href="/assets/a.css"><script src="/assets/a.js"></script><a href="/elsewhere">';
const entry = { version: '1', entry: '/e', sdk: '^2.0.0', ui: '^2.0.0', parts: [] };

const problemsOf = (files: Record<string, string>, modules = {}, options = {}) =>
  shellProblems(
    { name: 'shell', version: '1', sdk: '2.1.0', ui: '2.0.0', folder: builtFolder(files) },
    modules,
    options,
  );

test('a complete shell that fits every module in use has no problem', async () => {
  const files = { 'index.html': HTML, 'assets/a.css': '', 'assets/a.js': '' };
  expect(await problemsOf(files, { mfe_a: entry, mfe_old: { ...entry, ui: undefined } })).toEqual([]);
});

test('a shell is reported for modules that do not fit it and for missing files', async () => {
  const modules = { mfe_a: { ...entry, sdk: '^1.0.0', canary: { ...entry, ui: '^3.0.0', share: 0.1 } } };
  expect(await problemsOf({ 'index.html': HTML, 'assets/a.js': '' }, modules)).toEqual([
    'range: mfe_a needs sdk ^1.0.0, this shell has 2.1.0 (--force)',
    'range: the canary of mfe_a needs ui ^3.0.0, this shell has 2.0.0 (--force)',
    'page: it names assets/a.css, which does not exist',
  ]);
  expect(await problemsOf({ 'index.html': '' }, modules, { force: true })).toEqual([]);
  expect(await problemsOf({})).toEqual(['page: the build has no index.html']);
});

test('a shell is tried with each module that fits; a module switched off is listed as untried', () => {
  const modules = {
    mfe_a: { ...entry, tab: { id: 'a' } },
    mfe_off: { ...entry, tab: { id: 'off' }, off: true as const },
    mfe_old: { ...entry, sdk: '^1.0.0' },
  };
  const { expected, untried, faults } = shellTrial(modules, { version: '1-s', sdk: '2.1.0', ui: '2.0.0' });
  expect(expected).toEqual([
    { of: 'shell', versions: ['1-s'] },
    { of: 'mfe_a', versions: ['1'], tab: 'a' },
  ]);
  expect(untried).toEqual(['mfe_off']);
  const reported = ['mfe_a', 'mfe_off', 'mfe_old'].filter((module) => faults.reported({ module }));
  expect(reported).toEqual(['mfe_a']);
});
