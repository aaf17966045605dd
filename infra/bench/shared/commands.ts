import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Commands that processes sent to their store. */
export interface Sent {
  /** All commands. */
  all: number;
  /** Account reads and compare-and-sets on seq, which make up a save; the others are the relay's and the sweeps'. */
  steps: number;
  /** Writes that wait for a majority. */
  commands: number;
  bytes: number;
  /** These writes by database, collection and command: `cord_mining.accounts update`. */
  byKind: Record<string, number>;
}

/** Maximum delay of the counts, ms; a process writes them every 50 ms. */
const COUNTED_LATEST_MS = 300;

/**
 * Node flags that make a process count its commands to a MongoDB at a `monitoredUri` (kit).
 * @param folder of the counts, one file per process, which outlives it
 */
export function counting(folder: string): string[] {
  const preloaded = pathToFileURL(join(import.meta.dirname, 'count-commands.mjs'));
  preloaded.searchParams.set('folder', folder);
  return ['--import', preloaded.href];
}

/** Sums what all processes have sent so far. */
export async function sentBy(folder: string): Promise<Sent> {
  await sleep(COUNTED_LATEST_MS);
  const sum: Sent = { all: 0, steps: 0, commands: 0, bytes: 0, byKind: {} };
  const files = await readdir(folder);
  for (const file of files.filter((name) => !name.endsWith('.draft'))) {
    const { byKind, ...counts }: Sent = JSON.parse(await readFile(join(folder, file), 'utf8'));
    for (const name of ['all', 'steps', 'commands', 'bytes'] as const) sum[name] += counts[name];
    for (const [kind, count] of Object.entries(byKind)) sum.byKind[kind] = (sum.byKind[kind] ?? 0) + count;
  }
  return sum;
}
