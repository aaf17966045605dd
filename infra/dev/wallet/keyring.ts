import { base58, fromBase64, toBase64 } from './base58.js';

/** Key in local storage. The wallet's SOL has no value, so its secrets may be stored there. */
export const STORAGE_KEY = 'cord.development-wallet';
const PKCS8_HEAD = 16;

/** An account of the wallet. */
export interface Key {
  name: string;
  address: string;
  /** 32 bytes, base64 */
  secret: string;
}

/** The stored state: accounts, index of the current one, network, and whether the page may use the wallet. */
export interface Keyring {
  keys: Key[];
  current: number;
  chain: string;
  connected: boolean;
}

export function readKeyring(): Keyring {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    if (kept?.keys?.length) return kept;
  } catch {
    // Unreadable state is replaced.
  }
  return { keys: [], current: 0, chain: 'solana:localnet', connected: false };
}

export function writeKeyring(keyring: Keyring): Keyring {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(keyring));
  return keyring;
}

/** Returns the keyring; adds an account to an empty one. */
export async function openKeyring(): Promise<Keyring> {
  const keyring = readKeyring();
  return keyring.keys.length > 0 ? keyring : addKey(keyring);
}

/** Returns the keyring with a new account, which becomes the current one. */
export async function addKey(keyring: Keyring): Promise<Keyring> {
  const pair = await (crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']) as Promise<CryptoKeyPair>);
  const secret = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).slice(PKCS8_HEAD);
  const address = base58(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  const keys = [...keyring.keys, { name: `Account ${keyring.keys.length + 1}`, address, secret: toBase64(secret) }];
  return writeKeyring({ ...keyring, keys, current: keys.length - 1 });
}

/** @throws when there is no account yet */
export function currentKey(keyring: Keyring): Key {
  const key = keyring.keys[keyring.current] ?? keyring.keys[0];
  if (!key) throw new Error('The wallet has no account');
  return key;
}

/** ASN.1 header before the 32 secret bytes of an Ed25519 key. */
const PKCS8 = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/** @returns 64 bytes */
export async function sign(key: Key, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const pkcs8 = new Uint8Array([...PKCS8, ...fromBase64(key.secret)]);
  const secret = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('Ed25519', secret, message));
}
