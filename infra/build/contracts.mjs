#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transpilePackages } from './transpile.mjs';
import { ROOT } from './workspaces.mjs';

const USAGE = `npm run contracts -- record   writes what this release says and takes to services/contracts/history/<version>
npm run contracts -- check    whether this release runs beside the recorded ones; names release, message and field`;
const PACKAGE = path.join(ROOT, 'services/contracts');
const HISTORY = path.join(PACKAGE, 'history');

async function main([command]) {
  const act = { record, check }[command];
  if (!act) throw new Error(USAGE);
  await transpilePackages({ packages: ['services/contracts'] });
  await act(await import(path.join(PACKAGE, 'dist/record/index.js')));
}

/** A release that runs somewhere is never recorded anew: what differs from it is another release. */
async function record({ history, linesOf, messages, findings, findingText, goldensOf, releaseOf }) {
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8'));
  const before = history(HISTORY).filter(({ name }) => name !== version);
  const today = releaseOf(version, messages());
  const clashes = findings(today, before).map(findingText);
  if (clashes.length > 0) throw new Error(clashes.join('\n'));
  const files = {
    'schemas.jsonl': linesOf([...today.messages.values()]),
    'goldens.jsonl': linesOf(goldensOf(today, before.at(-1))),
  };
  await mkdir(path.join(HISTORY, version), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(HISTORY, version, name);
    const there = await readFile(file, 'utf8').catch(() => text);
    if (there !== text)
      throw new Error(
        `${version} is recorded and said otherwise: raise the version in services/contracts/package.json`,
      );
    await writeFile(file, text);
  }
  console.log(`${version} recorded: ${today.messages.size} messages`);
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
