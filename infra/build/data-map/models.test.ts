import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { storedFields } from './models.ts';

/** Returns the fields of a service with these declarations. */
function fieldsOf(...declarations: string[]): Map<string, Set<string>> {
  const root = mkdtempSync(path.join(tmpdir(), 'cord-data-map-'));
  mkdirSync(path.join(root, 'services/auth'), { recursive: true });
  writeFileSync(path.join(root, 'tsconfig.node.json'), JSON.stringify({ include: ['services'] }));
  const kit = 'declare function collection<D extends { _id: unknown }>(declared: { name: string }): D;';
  const doc = "interface Doc { _id: string; email: string }\nconst NAME = 'people';\nlet any: string;";
  writeFileSync(path.join(root, 'services/auth/store.ts'), [kit, doc, ...declarations].join('\n'));
  return storedFields(root);
}

test('storedFields returns the document fields of each collection by its name', () => {
  expect(fieldsOf('collection<Doc>({ name: NAME });', "store.collection<Doc>('leases');")).toEqual(
    new Map(['auth.people', 'auth.leases'].map((name) => [name, new Set(['_id', 'email'])])),
  );
});

test.each([
  'collection<Doc>({ name: any })',
  'collection<Doc>({ ...declared })',
  "collection({ name: 'people' })",
  "collection<{ email: string }>({ name: 'people' })",
  "store.collection('people')",
])('a declaration with an unreadable name or unreadable fields is rejected: %s', (declaration) => {
  expect(() => fieldsOf(declaration)).toThrow(`cannot read name and document type from ${declaration}`);
});

test('a collection opened by a variable name is ignored, since it is declared elsewhere', () => {
  expect(fieldsOf('store.collection<Doc>(any);')).toEqual(new Map());
});
