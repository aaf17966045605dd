import { createDecipheriv } from 'node:crypto';
import { derivedKey } from '@cord/kit/keyed-hash';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** Seals texts at rest as JWE (dir, A256GCM) under a key derived from KEY_ENCRYPTION_KEY. */
export interface Seal {
  /** @param name of what is sealed: it opens under that name only */
  seal(text: string, name: string): Promise<string>;
  /** @throws Error when the text was sealed with another key or under another name, or was altered. */
  open(sealed: string, name: string): Promise<string>;
}

/** @param secret KEY_ENCRYPTION_KEY; @param purpose separates uses of one secret. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = derivedKey(secret, purpose);
  return {
    // The header, and the name in it, is what is authenticated beside the text.
    seal: (text, name) =>
      new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: name }).encrypt(key),
    async open(sealed, name) {
      if (!sealed.includes('..')) return openFormer(key, sealed, name);
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      if (protectedHeader.kid !== name) throw new Error('sealed under another name');
      return Buffer.from(plaintext).toString('utf8');
    },
  };
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
