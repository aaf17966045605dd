import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { MEMO_PROGRAM, memoFault, memosOf, solanaRpc } from './memos.js';
import { type Checkpoint, checkpointText, type Primitives, readNote } from './note.js';
import { policyFault, readPolicy } from './policy.js';
import { readTlogProof } from './records.js';
import { verifyProof } from './verify.js';

/** Of a raw key of Ed25519, what makes it a key as OpenSSL reads it (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Cryptography of Node. */
export const NODE_PRIMITIVES: Primitives = {
  sha256: (data) => createHash('sha256').update(data).digest(),
  ed25519(key, message, signature) {
    const der = { key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' } as const;
    return verify(null, message, createPublicKey(der), signature);
  },
};

const USAGE = 'node verify.mjs FILE [--vkey KEY]... [--policy FILE] [--rpc URL --memo-signer ADDRESS]';

/**
 * The command `verify`: prints what the page shows.
 * @param args FILE, keys of the log; a policy (C2SP tlog-policy) whose witnesses must have signed the checkpoint of the file; a node of Solana and the
 * account whose memo there must have it
 * @returns its exit code: 0 where the proof holds, 1 where it does not or could not be checked
 */
export async function verifyFile(args: readonly string[]): Promise<number> {
  try {
    const text = { type: 'string' } as const;
    const options = { vkey: { ...text, multiple: true }, policy: text, rpc: text, 'memo-signer': text } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    const { rpc, 'memo-signer': signer } = values;
    if (file === undefined || more.length > 0 || (rpc === undefined) !== (signer === undefined))
      throw new Error(`usage: ${USAGE}`);
    const { sha256 } = NODE_PRIMITIVES;
    const policy = values.policy === undefined ? null : readPolicy(sha256, await readFile(values.policy, 'utf8'));
    const proof = JSON.parse(await readFile(file, 'utf8'));
    const vkeys = [...(values.vkey ?? []), ...(policy?.logs ?? [])];
    const verdict = await verifyProof(NODE_PRIMITIVES, proof, { vkeys });
    let fault: string | null = null;
    if (verdict.ok && policy) {
      const note = readNote(readTlogProof(proof.tlog)?.checkpoint ?? '') ?? { text: '', signatures: [] };
      const what = await policyFault(NODE_PRIMITIVES, note, policy);
      fault = what && `MISMATCH witnesses: ${what}`;
    }
    if (verdict.ok && fault === null && rpc && signer) {
      const what = await memoFaultAt(rpc, signer, verdict.checkpoint);
      fault = what && `MISMATCH memo: ${what}`;
    }
    process.stdout.write(`${fault ?? verdict.text}\n`);
    if (verdict.ok && !verdict.signed)
      process.stderr.write('The signature was not checked: give the key of the log with --vkey.\n');
    return verdict.ok && fault === null ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

/** What is wrong with the memo of a checkpoint, as a node of Solana has it; null where it is there. */
async function memoFaultAt(url: string, signer: string, checkpoint: Checkpoint): Promise<string | null> {
  const memos = await memosOf(solanaRpc(url), { signer, origin: checkpoint.origin });
  return memoFault(checkpointText(checkpoint), memos, { signer, program: MEMO_PROGRAM });
}
