import { createHash, randomBytes } from 'node:crypto';
import { chainStart } from '@cord/contracts/proof/chain';

/** The chain of an account's entries: each entry includes the hash of the previous one (services/contracts/proof/README.md). */
export interface Chain {
  /** Number of the last entry; 0 before the first. */
  readonly n: number;
  /** Hash of the last entry, or the start of the chain; base64. */
  readonly head: string;
  /** Random salt of the account, base64: without it, the account cannot be found in the tree of a day. Emptied on erasure. */
  readonly salt: string;
}

const SALT_BYTES = 32;

export const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** Creates the chain of a new account. */
export function newChain(userId: string): Chain {
  return { n: 0, head: chainStart(sha256, userId), salt: randomBytes(SALT_BYTES).toString('base64') };
}
