import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals texts at rest with AES-256-GCM under a key derived from KEY_ENCRYPTION_KEY. */
export interface Seal {
  /** @param name of what is sealed: it opens under that name only */
  seal(text: string, name: string): string;
  /** @throws Error when the text was sealed with another key or under another name, or was altered. */
  open(sealed: string, name: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Stands before what is bound to its name; what earlier releases sealed is not, and opens all the same. */
const NAMED = 'named.';

/** @param secret KEY_ENCRYPTION_KEY; @param purpose separates uses of one secret. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, 'cord', purpose, 32));
  return {
    seal(text, name) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name, 'utf8'));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return NAMED + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(text, name) {
      const isNamed = text.startsWith(NAMED);
      const bytes = Buffer.from(isNamed ? text.slice(NAMED.length) : text, 'base64');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      if (isNamed) decipher.setAAD(Buffer.from(name, 'utf8'));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    },
  };
}
