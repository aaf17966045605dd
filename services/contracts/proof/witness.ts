import { toBase64 } from './bytes.js';
import { type Primitives, readNote, signers } from './note.js';
import type { Witness } from './policy.js';

/* The request to a witness and its response (C2SP tlog-witness). */

/**
 * Returns the body of `add-checkpoint`.
 * @param old size of the checkpoint that the witness signed last; 0 for none
 * @param proof of consistency, from that size on (RFC 9162, 2.1.4); empty for 0
 * @param note the signed checkpoint
 */
export const addCheckpointText = (old: number, proof: readonly Uint8Array[], note: string): string =>
  [`old ${old}`, ...proof.map(toBase64), '', note].join('\n');

/** Maximum bytes read of a response. */
export const ANSWER_BYTES_MAX = 16_384;

/**
 * Returns the witness's line from its response to a checkpoint. Lines of other keys are skipped.
 * @returns null when it is missing or invalid
 */
export async function cosignatureIn(
  primitives: Primitives,
  answer: string,
  checkpoint: string,
  { key }: Pick<Witness, 'key'>,
): Promise<string | null> {
  const { text = '' } = readNote(checkpoint) ?? {};
  for (const line of answer.split('\n').slice(0, -1)) {
    const note = readNote(`${text}\n${line}\n`);
    const signed = note && (await signers(primitives, note, [key]));
    if (signed && signed.length === 1) return `${line}\n`;
  }
  return null;
}

/** Returns when a witness signed, ms; 0 for a malformed line. */
export function cosignedAtMs(line: string): number {
  const [{ bytes } = { bytes: new Uint8Array(0) }] = readNote(`x\n\n${line}`)?.signatures ?? [];
  if (bytes.length !== 72) return 0;
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)) * 1_000;
}
