import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { storedFields, streamNames } from './data-map/models.ts';
import { faultsOf } from './data-map/rows.ts';
import { ROOT } from './workspaces.ts';

const USAGE = `npx tsx infra/build/data-map.ts check   whether services/data-map.md has a row for every field that is stored, and no other
npx tsx infra/build/data-map.ts fields  lists the fields that are stored`;
const MAP = 'services/data-map.md';

async function main([command]: string[]): Promise<void> {
  if (command === 'fields') {
    for (const [section, fields] of models()) console.log(`${section}: ${[...fields].sort().join(' ')}`);
    return;
  }
  if (command !== 'check') throw new Error(USAGE);
  const faults = faultsOf(models(), await readFile(path.join(ROOT, MAP), 'utf8'));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${MAP} has the purpose of each field.`);
  console.log(`${MAP} has every field that is stored`);
}

function models(): Map<string, Set<string>> {
  const fields = new Map([...storedFields()].sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields.set('Streams', streamNames());
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
