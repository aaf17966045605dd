import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a test's own folder, for `forAllTests` and `stopAfterTest`; the name is short, because a socket path has at most 107 characters. */
export async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'cord-'));
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) };
}
