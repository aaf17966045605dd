#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contractRecord, HISTORY } from './recorded.mjs';

const USAGE = `npm run contracts -- record RELEASE   writes what this release says, takes and reads to services/contracts/history/RELEASE, as in 1.2.0
npm run contracts -- check            whether this release runs beside the recorded ones; names release, message and field`;

async function main([command, release]) {
  const act = { record, check }[command];
  if (!act) throw new Error(USAGE);
  await act(await contractRecord(), release);
}

/** A release that runs somewhere is never recorded anew: what differs from it is another release. */
async function record({ history, linesOf, messages, findings, findingText, releaseOf }, release) {
  if (!/^\d+\.\d+\.\d+$/.test(release ?? '')) throw new Error(USAGE);
  const before = history(HISTORY).filter(({ name }) => name !== release);
  const last = before.at(-1)?.name ?? '';
  if (last.localeCompare(release, 'en', { numeric: true }) > 0) throw new Error(`${last} is recorded, and is later`);
  const today = releaseOf(release, messages());
  const clashes = findings(today, before).map(findingText);
  if (clashes.length > 0) throw new Error(clashes.join('\n'));
  const folder = path.join(HISTORY, release);
  const file = path.join(folder, 'schemas.jsonl');
  const text = linesOf([...today.messages.values()]);
  await mkdir(folder, { recursive: true });
  const there = await readFile(file, 'utf8').catch(() => text);
  if (there !== text) throw new Error(`${release} is recorded and said otherwise: this is a later one`);
  await writeFile(file, text);
  console.log(`${release} recorded: ${today.messages.size} messages`);
}

async function check({ history, messages, findings, findingText, releaseOf }) {
  const recorded = history(HISTORY);
  const found = findings(releaseOf('today', messages()), recorded).map(findingText);
  if (found.length > 0)
    throw new Error(
      `${found.join('\n')}\nThese releases do not run side by side: services/contracts/README.md says how a field goes.`,
    );
  console.log(`runs beside ${recorded.map(({ name }) => name).join(', ')}`);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
