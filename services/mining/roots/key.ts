import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { utf8 } from '@cord/contracts/proof/bytes';
import { signatureLine, vkeyOf } from '@cord/contracts/proof/note';
import { sha256 } from '../ledger/chain.js';

/** The prefix that turns an Ed25519 seed into a private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key of the log: it signs checkpoints and nothing else. */
export type LogKey = ReturnType<typeof logKey>;

/** @param secret LEDGER_LOG_KEY, from which the seed is derived */
export function logKey(secret: string) {
  const seed = createHash('sha256').update(`cord/log-key/1\n${secret}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const own = new Uint8Array(spki.subarray(spki.length - 32));
  return {
    /** Returns the text of the public key. @param origin name of the log */
    vkey: (origin: string) => vkeyOf(sha256, origin, own),
    /** Returns the signature line for a text. */
    line: (origin: string, text: string) => signatureLine(sha256, origin, own, sign(null, utf8(text), key)),
  };
}
