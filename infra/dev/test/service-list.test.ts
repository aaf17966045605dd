import { readdirSync, readFileSync } from 'node:fs';
import { SERVICES } from '@cord/contracts/address';
import { expect, test } from 'vitest';
import { NODE_PACKAGES } from '../../build/transpile.ts';
import { SERVICES as BACKED_UP } from '../backup/contents.ts';
import { SERVICES as STARTED } from '../starter/services.ts';

/* The contracts define the services. Code before the build has a copy; backups read in another order. */

const sorted = (names: readonly string[]): string[] => [...names].sort();

test('SERVICES has every service folder, and the start, the build and the backup have all of them', () => {
  const root = new URL('../../../services/', import.meta.url);
  const folders = readdirSync(root).filter((name) => {
    const text = name.includes('.') ? '{}' : readFileSync(new URL(`${name}/package.json`, root), 'utf8');
    return JSON.parse(text).scripts?.start !== undefined;
  });
  expect(sorted(folders)).toEqual(sorted(SERVICES));
  expect(sorted(STARTED)).toEqual(sorted(SERVICES));
  expect(sorted(BACKED_UP)).toEqual(sorted(SERVICES));
  expect(NODE_PACKAGES).toEqual(expect.arrayContaining(SERVICES.map((name) => `services/${name}`)));
});

test('a backup reads the ledger last', () => {
  expect(BACKED_UP.at(-1)).toBe('mining');
});
