import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SERVICES = fileURLToPath(new URL('../../../services', import.meta.url));

test('a service opens no collection but by its declaration, and has no models beside it', () => {
  const opening = sources(SERVICES).filter((file) =>
    /\.(collection|model)(<|\()|new Schema/.test(readFileSync(file, 'utf8')),
  );
  const ofServices = opening.map((file) => file.slice(SERVICES.length + 1)).filter((file) => !file.startsWith('kit/'));
  expect(ofServices).toEqual([]);
});

test('nothing but the migration makes an index', () => {
  const making = sources(SERVICES).filter((file) =>
    /\.createIndex|\.syncIndexes|\.ensureIndexes|\bindex: true|autoIndex: true|Schema\([^)]*unique: true/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(making.map((file) => file.slice(SERVICES.length + 1))).toEqual(['kit/migration/migrate.ts']);
});

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test', 'testing'].includes(entry.name) ? [] : sources(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
