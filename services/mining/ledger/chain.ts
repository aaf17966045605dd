import { createHash, randomBytes } from 'node:crypto';
import { chainStart } from '@cord/contracts/proof/chain';

/** The chain of an account's entries: each holds the hash of the one before (services/contracts/proof/README.md). */
export interface Chain {
  /** Number of the last entry; 0 before the first. */
  readonly n: number;
  /** Hash of the last entry, or the start of the chain; base64. */
  readonly head: string;
  /** Random and the account's own, base64: without it the account cannot be found in the tree of a day. Emptied when the user is erased. */
  readonly salt: string;
}

const SALT_BYTES = 32;

export const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** The chain of a new account. */
export function newChain(userId: string): Chain {
  return { n: 0, head: chainStart(sha256, userId), salt: randomBytes(SALT_BYTES).toString('base64') };
}
