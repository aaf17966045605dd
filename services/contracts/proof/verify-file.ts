import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Primitives } from './note.js';
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

const USAGE = 'node verify.mjs FILE [--vkey KEY]...';

/**
 * The command `verify`: prints what the page shows.
 * @param args FILE and keys of the log
 * @returns its exit code: 0 where the proof holds, 1 where it does not or could not be checked
 */
export async function verifyFile(args: readonly string[]): Promise<number> {
  try {
    const options = { vkey: { type: 'string', multiple: true } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error(`usage: ${USAGE}`);
    const verdict = await verifyProof(NODE_PRIMITIVES, JSON.parse(await readFile(file, 'utf8')), {
      vkeys: values.vkey ?? [],
    });
    process.stdout.write(`${verdict.text}\n`);
    if (verdict.ok && !verdict.signed)
      process.stderr.write('The signature was not checked: give the key of the log with --vkey.\n');
    return verdict.ok ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}
