import { createECDH } from 'node:crypto';

/** The key pair that identifies this system to push services (RFC 8292), base64url. */
export interface VapidKeys {
  privateKey: string;
  publicKey: string;
}

/** @param text 32 bytes as hex or base64url; @returns null for an invalid private key of P-256 */
export function vapidKeys(text: string): VapidKeys | null {
  const bytes = Buffer.from(text, text.length === 64 ? 'hex' : 'base64url');
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(bytes);
  } catch {
    return null;
  }
  return { privateKey: bytes.toString('base64url'), publicKey: pair.getPublicKey('base64url') };
}
