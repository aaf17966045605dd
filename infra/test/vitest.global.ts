import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { VERIFIER_FILE, writeVerifier } from '../build/verifier.ts';
import { ROOT } from '../build/workspaces.ts';
import { ownTempFolder } from './temp-folder.mjs';

/** Tests that are run by vitest itself leave as little behind as those of `npm test`, which has given them a folder and built what they read. */
export default async function setup(): Promise<void> {
  if (!basename(tmpdir()).startsWith('cord-')) ownTempFolder();
  if (!existsSync(join(ROOT, VERIFIER_FILE))) await writeVerifier();
}
