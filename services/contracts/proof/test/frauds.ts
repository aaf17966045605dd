import { expect } from 'vitest';
import type { ChainEntry } from '../chain.js';
import { type Fails, type Known, type ProofFile, verifyProof } from '../verify.js';
import { NODE_PRIMITIVES } from '../verify-file.js';
import { dayOf, logOf, world } from './sample.js';

/* A world with valid proofs, and the verifier's findings after changes to it. */

export const { sha256 } = NODE_PRIMITIVES;
export const made = world();
const known: Known = { vkeys: [made.key.vkey] };
export const proof = (changed: (own: ProofFile) => Partial<ProofFile> = () => ({})): ProofFile => {
  const own = made.proofOf(2);
  return { ...own, ...changed(own) };
};
export const verdict = (file: unknown, with_: Known = {}) => verifyProof(NODE_PRIMITIVES, file, { ...known, ...with_ });
export const failure = async (file: unknown, with_?: Known) => {
  const found = await verdict(file, with_);
  expect(found.ok, found.text).toBe(false);
  return found as Fails;
};
/** Returns the file with one entry changed. */
export const changed = (n: number, fields: Partial<ChainEntry>) =>
  proof(({ entries }) => ({
    entries: entries.map((entry) => (entry.n === String(n) ? { ...entry, ...fields } : entry)),
  }));

/** Returns a consistent file for a day and a log that the operator forged. */
export function remade(own: ProofFile, leaf: ProofFile['leaf'], key = made.key, rules?: string): ProofFile {
  const leaves = made.leaves.map((one, n) => (n === own.index ? leaf : one));
  const day = dayOf(leaves, leaf.day, rules);
  const log = logOf([...made.past, day.record], key);
  return { ...own, leaf, path: day.pathOf(own.index), record: day.record, tlog: log.tlogOf(made.past.length) };
}
