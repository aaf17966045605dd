import { CompactEncrypt, compactDecrypt } from 'jose';
import { derivedKey } from './keyed-hash.js';

/** Encrypts texts at rest as JWE (dir, A256GCM) with keys derived from a secret's values. */
export type Seal = ReturnType<typeof createSeal>;

/** @param values of the secret; the first one encrypts; @param purpose separates uses of one secret. */
export function createSeal(values: () => readonly string[], purpose: string) {
  const keys = () => values().map((secret) => derivedKey(secret, purpose));
  return {
    /** Encrypts with the first value. @param name it can be decrypted under this name only */
    seal(text: string, name: string) {
      const [first] = keys();
      if (!first) throw new Error('no encryption key is set');
      // The header with the name is authenticated along with the text.
      const header = { alg: 'dir', enc: 'A256GCM', kid: name };
      return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(first);
    },
    /** Decrypts with any of the values. @throws Error when none fits, the name differs, or the text was altered. */
    async open(sealed: string, name: string) {
      const failures: unknown[] = [];
      for (const key of keys()) {
        try {
          return await openWith(key, sealed, name);
        } catch (failure) {
          failures.push(failure);
        }
      }
      throw failures[0];
    },
    /** Whether the first value decrypts it. */
    async isOfFirst(sealed: string, name: string) {
      const [first] = keys();
      return first !== undefined && (await openWith(first, sealed, name).catch(() => null)) !== null;
    },
  };
}

async function openWith(key: Buffer, sealed: string, name: string): Promise<string> {
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  if (protectedHeader.kid !== name) throw new Error('encrypted under another name');
  return Buffer.from(plaintext).toString('utf8');
}
