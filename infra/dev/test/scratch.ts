import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own that remove() takes away. */
export async function scratch(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cord-dev-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
