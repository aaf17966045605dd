import { expect } from 'vitest';
import type { ChainEntry } from '../chain.js';
import { type Fails, type Known, type ProofFile, verifyProof } from '../verify.js';
import { NODE_PRIMITIVES } from '../verify-file.js';
import { dayOf, logOf, world } from './sample.js';

/* A world whose proofs hold, and what the verifier finds in one that was changed. */

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
/** The entries of the file with one of them changed. */
export const changed = (n: number, fields: Partial<ChainEntry>) =>
  proof(({ entries }) => ({
    entries: entries.map((entry) => (entry.n === String(n) ? { ...entry, ...fields } : entry)),
  }));

/** A file that is right in itself, of a day and a log that the operator made for it. */
export function remade(own: ProofFile, leaf: ProofFile['leaf'], key = made.key, rules?: string): ProofFile {
  const leaves = made.leaves.map((one, n) => (n === own.index ? leaf : one));
  const day = dayOf(leaves, leaf.day, rules);
  const log = logOf([...made.past, day.record], key);
  return { ...own, leaf, path: day.pathOf(own.index), record: day.record, tlog: log.tlogOf(made.past.length) };
}
