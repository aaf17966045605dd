import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../../services/kit/whole-file.ts';
import { contractRecord, HISTORY } from './recorded.ts';

/**
 * Records the messages of this release in services/contracts/history. Never overwrite a release in use: a difference
 * needs a new release.
 * @param release as in 2.0.0
 * @throws {Error} naming what is incompatible with the recorded releases, or differs from the record
 */
export async function recordContracts(release: string): Promise<void> {
  const { history, linesOf, messages, findings, findingText, releaseOf } = await contractRecord();
  const before = history(HISTORY).filter(({ name }) => name !== release);
  const last = before.at(-1)?.name ?? '';
  if (last.localeCompare(release, 'en', { numeric: true }) > 0)
    throw new Error(`${last} is already recorded, and is later`);
  const today = releaseOf(release, messages());
  const clashes = findings(today, before).map(findingText);
  if (clashes.length > 0) throw new Error(clashes.join('\n'));
  const folder = path.join(HISTORY, release);
  const file = path.join(folder, 'schemas.jsonl');
  const text = linesOf([...today.messages.values()]);
  await mkdir(folder, { recursive: true });
  const there = await readFile(file, 'utf8').catch(() => text);
  if (there !== text) throw new Error(`${release} is already recorded, and differs: raise the release`);
  await writeWhole(file, text, 0o644);
  console.log(`${release} recorded: ${today.messages.size} messages`);
}

/**
 * Checks that this release is compatible with the recorded ones, and prints these.
 * @throws {Error} naming release, message and field of what is not
 */
export async function checkContracts(): Promise<void> {
  const { history, messages, findings, findingText, releaseOf } = await contractRecord();
  const recorded = history(HISTORY);
  const found = findings(releaseOf('today', messages()), recorded).map(findingText);
  if (found.length > 0)
    throw new Error(
      `${found.join('\n')}\nThese releases are incompatible: services/contracts/README.md has the steps to remove a field.`,
    );
  console.log(`compatible with ${recorded.map(({ name }) => name).join(', ')}`);
}
