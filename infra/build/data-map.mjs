#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { storedFields, streamNames } from './data-map/models.mjs';
import { faultsOf } from './data-map/rows.mjs';
import { ROOT } from './workspaces.mjs';

const USAGE = `node infra/build/data-map.mjs check   whether services/data-map.md has a row for every field that is stored, and no other
node infra/build/data-map.mjs fields  lists the fields that are stored`;
const MAP = 'services/data-map.md';

async function main([command]) {
  if (command === 'fields') {
    for (const [section, fields] of models()) console.log(`${section}: ${[...fields].sort().join(' ')}`);
    return;
  }
  if (command !== 'check') throw new Error(USAGE);
  const faults = faultsOf(models(), await readFile(path.join(ROOT, MAP), 'utf8'));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${MAP} says of each field what it is for.`);
  console.log(`${MAP} tells of every field that is stored`);
}

function models() {
  const fields = new Map([...storedFields()].sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields.set('Streams', streamNames());
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
