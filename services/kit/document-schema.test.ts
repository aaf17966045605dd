import { expect, test } from 'vitest';
import { documentSchema, upgrade } from './document-schema.js';
import { Problem } from './problem.js';

interface Purse {
  _id: string;
  cents: bigint;
  currency?: string;
  schemaVersion?: number;
}

const PURSE = documentSchema<Purse>(
  'purse',
  (stored) => ({ ...stored, cents: stored.cents * 100n }),
  (stored) => ({ ...stored, currency: 'CORD' }),
);

test('a document without a version has schema 1, and every later step is applied', () => {
  expect(upgrade({ _id: 'a', cents: 1n }, PURSE)).toEqual({
    _id: 'a',
    cents: 100n,
    currency: 'CORD',
    schemaVersion: 3,
  });
  expect(upgrade({ _id: 'a', cents: 1n, schemaVersion: 2 }, PURSE)).toMatchObject({ cents: 1n, currency: 'CORD' });
});

test('a document with this release’s schema is returned as it is', () => {
  const purse: Purse = { _id: 'a', cents: 1n, schemaVersion: 3 };
  expect(upgrade(purse, PURSE)).toBe(purse);
  const first: Purse = { _id: 'a', cents: 1n };
  expect(upgrade(first, documentSchema<Purse>('purse'))).toBe(first);
});

test.each([4, 0, -1, Number.NaN])(
  'schema %s is refused with its number and 503, so a caller retries',
  (schemaVersion) => {
    const read = () => upgrade({ _id: 'a', cents: 1n, schemaVersion }, PURSE);
    expect(read).toThrow(Problem);
    expect(read).toThrow(`This purse is of schema ${schemaVersion}; this release reads up to 3`);
    expect(read).toThrow(expect.objectContaining({ status: 503, headers: { 'Retry-After': '5' } }));
  },
);
