import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isProgram } from './is-program.ts';
import { oneFile } from './one-file.ts';
import { ROOT } from './workspaces.ts';

/** Output path; mining reads it there. */
export const VERIFIER_FILE = 'services/contracts/dist/verify.mjs';
/** The repository has its hash, like the record of each day: a user can compare both with the file, and a change is a separate commit. */
export const HASH_FILE = 'services/contracts/proof/verify.sha256';

/**
 * Returns verify.mjs: the verifier of proofs as one readable file that needs only Node.
 * @param root the checkout
 * @returns its text; the same for the same sources
 */
export const verifierText = (root: string = ROOT): Promise<string> =>
  oneFile('./services/contracts/proof/main.ts', { root, platform: 'node', format: 'esm' });

/** Returns the hash in the form of a record: SHA-256, base64. */
export const verifierHash = (text: string): string => createHash('sha256').update(text).digest('base64');

/** @returns whether the file changed */
export async function writeVerifier(root: string = ROOT): Promise<boolean> {
  const file = path.join(root, VERIFIER_FILE);
  const text = await verifierText(root);
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return true;
}

// `npx tsx infra/build/verifier.ts` writes file and hash after a change of the sources.
if (isProgram(import.meta.filename)) {
  await writeVerifier();
  await writeFile(path.join(ROOT, HASH_FILE), `${verifierHash(await verifierText())}\n`);
}
