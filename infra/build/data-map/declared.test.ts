import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../source-files.ts';
import { ROOT } from '../workspaces.ts';

const SERVICES = path.join(ROOT, 'services');
const SOURCES = sourceFiles(['**/*.ts', '!**/*.test.ts', '!**/{test,testing}/**'], SERVICES);

const holding = (pattern: RegExp) =>
  SOURCES.filter((file) => pattern.test(readFileSync(path.join(SERVICES, file), 'utf8')));

test('services open collections only through declarations, without models of their own', () => {
  const opening = holding(/\.(collection|model)(<|\()|new Schema/);
  expect(opening.filter((file) => !file.startsWith('kit/'))).toEqual([]);
});

test('only the migration creates indexes', () => {
  const making = holding(
    /\.createIndex|\.syncIndexes|\.ensureIndexes|\bindex: true|autoIndex: true|Schema\([^)]*unique: true/,
  );
  expect(making).toEqual(['kit/migration/migrate.ts']);
});
