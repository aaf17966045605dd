import type { Primitives } from '@cord/contracts/proof/note';
import { ed25519 } from '@noble/curves/ed25519';
import { sha256 } from '@noble/hashes/sha2';

/** Synchronous cryptography: the browser's SHA-256 is asynchronous, a proof needs thousands, and old browsers lack Ed25519. */
export const NOBLE: Primitives = {
  sha256,
  ed25519(key, message, signature) {
    try {
      return ed25519.verify(signature, message, key, { zip215: false });
    } catch {
      return false;
    }
  },
};
