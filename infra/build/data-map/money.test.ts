import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRows } from './rows.mjs';

const SERVICES = fileURLToPath(new URL('../../../services', import.meta.url));
/** A field that says an amount, or holds credits. */
const MONEY = /Micro$|^lamports$|^parked$|^bySource$/;
/** Amounts that no balance and no payment is made of. */
const NO_MONEY: Readonly<Record<string, string>> = {
  'mining.audits': 'a figure, made anew by each audit',
  'mining.issued': 'a figure of a day, for operators',
  'rewards.epochs': 'a table, whose outbox holds no credit',
};

interface Plan {
  name: string;
  schema?: { name: string };
}

test('every collection with money says which schema its documents are of', async () => {
  const { rows } = readRows(readFileSync(join(SERVICES, 'data-map.md'), 'utf8')) as { rows: Map<string, Set<string>> };
  const ofMoney = [...rows].filter(([section, fields]) => section.includes('.') && [...fields].some(isMoney));
  expect(ofMoney.map(([section]) => section)).toEqual(
    expect.arrayContaining([...['accounts', 'entries'].map((name) => `mining.${name}`), ...Object.keys(NO_MONEY)]),
  );
  const bare: string[] = [];
  for (const [section] of ofMoney) {
    const [service = '', name] = section.split('.');
    const { data } = (await import(join(SERVICES, service, 'data.ts'))) as { data: readonly Plan[] };
    if (!data.find((plan) => plan.name === name)?.schema && !(section in NO_MONEY)) bare.push(section);
  }
  expect(bare).toEqual([]);
});

test('nothing but the migration makes an index', () => {
  const making = sources(SERVICES).filter((file) =>
    /\.createIndex|\.syncIndexes|\.ensureIndexes|\bindex: true|autoIndex: true|Schema\([^)]*unique: true/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(making.map((file) => file.slice(SERVICES.length + 1))).toEqual(['kit/migration/migrate.ts']);
});

const isMoney = (field: string): boolean => MONEY.test(field);

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test', 'testing'].includes(entry.name) ? [] : sources(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
