import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  isIn,
  KEPT,
  LEFT_OUT,
  OF_ADDRESSES,
  OF_EVERY_SERVICE,
  UNDER_TOMBSTONE_KEY,
  WITHOUT_ADDRESSES,
  withoutAddresses,
} from '../backup/contents.ts';

/* The data map has every collection and the meaning of its fields (`npm run lint` compares it with the models). */

const map = readFileSync(new URL('../../../services/data-map.md', import.meta.url), 'utf8');
/** Texts of the map by collection, as `service.collection`. */
const texts = new Map(
  map
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part]),
);
const collectionsWith = (pattern: RegExp) => [...texts].flatMap(([name, text]) => (pattern.test(text) ? [name] : []));
const namesOf = (table: Readonly<Record<string, object>>) =>
  Object.entries(table).flatMap(([service, names]) =>
    (Array.isArray(names) ? names : Object.keys(names)).map((name) => `${service}.${name}`),
  );

test('every collection that a backup treats differently exists', () => {
  const special = [LEFT_OUT, OF_ADDRESSES, KEPT, WITHOUT_ADDRESSES].flatMap(namesOf);
  const ofAll = OF_EVERY_SERVICE.map((name) => `kit.${name}`);
  const hashed = UNDER_TOMBSTONE_KEY.map((pair) => pair.join('.'));
  const exists = (name: string) => texts.has(name) || texts.has(name.replace(/^\w+/, 'kit'));
  expect([...special, ...ofAll, ...hashed].filter((name) => !exists(name))).toEqual([]);
});

test('a backup without secrets has no field under ADDRESS_HASH_KEY', () => {
  const keyed = collectionsWith(/under ADDRESS_HASH_KEY/);
  expect(keyed).toEqual(expect.arrayContaining(['auth.addresses', 'mining.accounts', 'referrals.members']));
  const treated = ([service = '', name = '']: string[]) =>
    !isIn(service, name, false) || withoutAddresses(service, name) !== undefined;
  expect(keyed.filter((name) => !treated(name.split('.')))).toEqual([]);
});

test('the collections whose ids are hashes under TOMBSTONE_KEY are known to the check of that key', () => {
  const hashed = UNDER_TOMBSTONE_KEY.map((pair) => pair.join('.'));
  expect(hashed.sort()).toEqual(collectionsWith(/^\| `_id` \| .*TOMBSTONE_KEY/m).sort());
});
