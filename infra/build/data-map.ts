import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { storedFields, streamNames } from './data-map/models.ts';
import { faultsOf } from './data-map/rows.ts';
import { ROOT } from './workspaces.ts';

const USAGE = `npx tsx infra/build/data-map.ts check   checks that services/data-map.md has a row for each stored field, and no other
npx tsx infra/build/data-map.ts fields  lists the stored fields`;
const MAP = 'services/data-map.md';

async function main([command]: string[]): Promise<void> {
  if (command === 'fields') {
    for (const [section, fields] of models()) console.log(`${section}: ${[...fields].sort().join(' ')}`);
    return;
  }
  if (command !== 'check') throw new Error(USAGE);
  const faults = faultsOf(models(), await readFile(path.join(ROOT, MAP), 'utf8'));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${MAP} needs a row for each stored field.`);
  console.log(`${MAP} has every stored field`);
}

function models(): Map<string, Set<string>> {
  const fields = new Map([...storedFields()].sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields.set('Streams', streamNames());
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
