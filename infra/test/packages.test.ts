import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { faultsOfLock, faultsOfManifest, faultsOfNpmrc, hiddenScripts } from './packages.ts';

const file = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const lockOf = (packages: Record<string, object>) => ({ packages });

test('the lock file and .npmrc of this checkout have no fault', () => {
  expect(faultsOfLock(JSON.parse(file('package-lock.json')))).toEqual([]);
  expect(faultsOfNpmrc(file('.npmrc'))).toEqual([]);
});

test.each([
  ['none', {}],
  ['one of another hash', { integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
  ['one that is cut', { integrity: INTEGRITY.slice(0, -4) }],
])('a package without a sha512 integrity is reported: %s', (_says, entry) => {
  const packages = {
    'node_modules/a': { integrity: INTEGRITY },
    'x/node_modules/@b/c': { version: '1.0.0', ...entry },
  };
  expect(faultsOfLock(lockOf(packages))).toEqual(['x/node_modules/@b/c has no sha512 integrity']);
});

test('folders of our own need no integrity', () => {
  const packages = { '': {}, 'services/kit': { version: '1.0.0' }, 'node_modules/@cord/kit': { link: true } };
  expect(faultsOfLock(lockOf(packages))).toEqual([]);
});

test('a dependency of a package.json that the lock file does not pin is reported', () => {
  const koa = { dependencies: { koa: '3.2.1' } };
  const packages = { a: koa, 'node_modules/koa': { version: '3.2.1' } };
  const faultsIn = (locked: object, manifest: object = koa) =>
    faultsOfManifest({ packages: locked as never }, 'a', manifest);
  expect(faultsIn(packages)).toEqual([]);
  for (const locked of [{}, { a: koa }, { ...packages, a: {} }, { ...packages, a: { dependencies: { koa: '3.2.0' } } }])
    expect(faultsIn(locked)).toEqual(['package-lock.json does not match koa of a: run npm install']);
  expect(faultsIn(packages, {})).toHaveLength(1);
});

test('packages from a second host, or not over https, are reported', () => {
  const from = (resolved: string) => ({ integrity: INTEGRITY, resolved });
  const one = {
    'node_modules/a': from('https://one.example/a.tgz'),
    'node_modules/b': from('https://one.example/b.tgz'),
  };
  expect(faultsOfLock(lockOf(one))).toEqual([]);
  const two = { ...one, 'node_modules/c': from('https://two.example/c.tgz') };
  expect(faultsOfLock(lockOf(two))).toEqual(['packages come from 2 hosts: node_modules/a, node_modules/c']);
  for (const resolved of ['http://one.example/a.tgz', 'git+ssh://git@one.example/a.git#1', 'a.tgz'])
    expect(faultsOfLock(lockOf({ 'node_modules/a': from(resolved) }))).toHaveLength(1);
});

test('a missing setting of .npmrc is reported', () => {
  expect(faultsOfNpmrc('save-exact = true\n#ignore-scripts=true\nomit-lockfile-registry-resolved=true')).toEqual([
    '.npmrc lacks ignore-scripts=true',
  ]);
});

test('lifecycle scripts that npm skips are reported', () => {
  const scripts = {
    start: 'a',
    prestart: 'b',
    prepare: 'c',
    postinstall: 'd',
    preview: 'e',
    prefer: 'f',
    postlint: 'g',
  };
  expect(hiddenScripts(scripts)).toEqual(['prestart', 'prepare', 'postinstall']);
});
