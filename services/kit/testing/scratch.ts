import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own, for `forAllTests` and `untilTestEnds`; its name is short, for a socket's path has 107 letters at the most. */
export async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'cord-'));
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) };
}
