import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isProgram } from './is-program.ts';
import { oneFile } from './one-file.ts';
import { ROOT } from './workspaces.ts';

/** Where the repository has it: its hash stands in the record of each day, so that a change of it is a commit of its own. */
export const VERIFIER_FILE = 'services/contracts/proof/verify.mjs';

/**
 * verify.mjs: the verifier of proofs as one file that needs Node alone, readable as its sources are.
 * @param root the checkout
 * @returns its text; the same for the same sources
 */
export const verifierText = (root: string = ROOT): Promise<string> =>
  oneFile('./services/contracts/proof/main.ts', { root, platform: 'node', format: 'esm' });

// `npx tsx infra/build/verifier.ts` writes it, after a change of what it is made of.
if (isProgram(import.meta.filename)) await writeFile(path.join(ROOT, VERIFIER_FILE), await verifierText());
