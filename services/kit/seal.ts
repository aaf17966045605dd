import { createDecipheriv } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { derivedKey } from './keyed-hash.js';

/** Seals texts at rest as JWE (dir, A256GCM) under keys derived from the values of a secret. */
export interface Seal {
  /** With the first value. @param name of what is sealed: it opens under that name only */
  seal(text: string, name: string): Promise<string>;
  /** With any of the values. @throws Error when none of them sealed the text, or not under this name, or it was altered. */
  open(sealed: string, name: string): Promise<string>;
  /** Whether the first value opens it. */
  isOfFirst(sealed: string, name: string): Promise<boolean>;
}

/** @param values of the secret, the one to seal with first; @param purpose separates uses of one secret. */
export function createSeal(values: () => readonly string[], purpose: string): Seal {
  const keys = () => values().map((secret) => derivedKey(secret, purpose));
  return {
    seal(text, name) {
      const [first] = keys();
      if (!first) throw new Error('there is no key to seal with');
      // The header, and the name in it, is what is authenticated beside the text.
      const header = { alg: 'dir', enc: 'A256GCM', kid: name };
      return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(first);
    },
    async open(sealed, name) {
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
    async isOfFirst(sealed, name) {
      const [first] = keys();
      return first !== undefined && (await openWith(first, sealed, name).catch(() => null)) !== null;
    },
  };
}

async function openWith(key: Buffer, sealed: string, name: string): Promise<string> {
  if (!sealed.includes('..')) return openFormer(key, sealed, name);
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  if (protectedHeader.kid !== name) throw new Error('sealed under another name');
  return Buffer.from(plaintext).toString('utf8');
}

/** Stands before what a release before bound to its name; what the first release sealed is not bound. */
const NAMED = 'named.';

/** What a release before has sealed: AES-256-GCM by hand, nonce and tag before the text. No signing key lives so long as to need it after two weeks. */
function openFormer(key: Buffer, text: string, name: string): string {
  const isNamed = text.startsWith(NAMED);
  const bytes = Buffer.from(isNamed ? text.slice(NAMED.length) : text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  if (isNamed) decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
