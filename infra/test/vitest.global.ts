import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { VERIFIER_FILE, writeVerifier } from '../build/verifier.ts';
import { ROOT } from '../build/workspaces.ts';
import { ownTempFolder } from './temp-folder.mjs';

/** Gives a direct run of vitest the temporary folder and the built verifier that `npm test` provides. */
export default async function setup(): Promise<void> {
  if (!basename(tmpdir()).startsWith('cord-')) ownTempFolder();
  if (!existsSync(join(ROOT, VERIFIER_FILE))) await writeVerifier();
}
