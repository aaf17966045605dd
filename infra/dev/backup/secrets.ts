import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { StartError } from '../starter/problems.mjs';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The scrypt cost of a passphrase guess. */
export interface Cost {
  N: number;
  r: number;
  p: number;
}

/** A guess costs 128 MiB and about 0.5 s. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const MEMORY_MAX = 256 * 1024 * 1024;
const CIPHER = 'aes-256-gcm';
const PASSPHRASE_MIN = 12;

/** Secrets in a backup: without them nobody can use address hashes and tombstones again. */
export const BACKED_UP = [
  'SESSION_SECRET',
  'KEY_ENCRYPTION_KEY',
  'ADDRESS_HASH_KEY',
  'LEDGER_LOG_KEY',
  'LEDGER_MEMO_KEY',
  'TOMBSTONE_KEY',
  'DISCORD_CLIENT_SECRET',
  'VAPID_PRIVATE_KEY',
];

/**
 * Encrypts secrets with a passphrase.
 * @param bound public context, required again to decrypt
 * @param cost of a guess
 */
export async function sealSecrets(
  secrets: Record<string, string>,
  passphrase: string,
  bound: string,
  cost: Cost = COST,
): Promise<Buffer> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt, cost), iv).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  const text = (bytes: Buffer) => bytes.toString('base64');
  const how = { kdf: 'scrypt', ...cost, cipher: CIPHER, salt: text(salt), iv: text(iv), sealed: text(sealed) };
  return Buffer.from(`${JSON.stringify(how)}\n`);
}

/**
 * @param bytes from sealSecrets
 * @param bound as passed there
 * @throws {StartError} for a wrong passphrase, or changed bytes
 */
export async function openSecrets(bytes: Buffer, passphrase: string, bound: string): Promise<Record<string, string>> {
  const { N, r, p, salt, iv, sealed } = JSON.parse(bytes.toString('utf8'));
  const whole = Buffer.from(sealed, 'base64');
  // The file's cost is accepted up to ours: a higher one would exceed the memory limit.
  if (!(N <= COST.N && r <= COST.r && p <= COST.p))
    throw new StartError('the secrets were encrypted by a newer release.');
  try {
    const key = await keyOf(passphrase, Buffer.from(salt, 'base64'), { N, r, p });
    const open = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
    open.setAAD(Buffer.from(bound)).setAuthTag(whole.subarray(-16));
    return JSON.parse(Buffer.concat([open.update(whole.subarray(0, -16)), open.final()]).toString('utf8'));
  } catch {
    throw new StartError('the passphrase does not decrypt the secrets of this file.');
  }
}

const keyOf = (passphrase: string, salt: Buffer, cost: Cost) =>
  derive(passphrase.normalize('NFKC'), salt, 32, { ...cost, maxmem: MEMORY_MAX });

/**
 * Identifies a key without disclosing it.
 * @param key at least 32 characters
 */
export const fingerprint = (key: string) => createHmac('sha256', key).update('cord backup').digest('hex').slice(0, 16);

/**
 * Returns the passphrase: from a file, from BACKUP_PASSPHRASE, or read from the terminal without echo.
 * @throws {StartError} when there is none, or it is too short
 */
export async function passphraseFrom(file: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
  const passphrase = file === undefined ? (env.BACKUP_PASSPHRASE ?? (await prompted())) : await ofFile(file);
  if (passphrase.length < PASSPHRASE_MIN)
    throw new StartError(`the passphrase needs at least ${PASSPHRASE_MIN} characters.`);
  return passphrase;
}

async function ofFile(file: string) {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(`the passphrase file ${file} cannot be read.`);
  });
  return text.replace(/\r?\n$/, '');
}

async function prompted() {
  if (!process.stdin.isTTY)
    throw new StartError('secrets need a passphrase: --passphrase-file FILE, or BACKUP_PASSPHRASE.');
  process.stderr.write('Passphrase: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await line.question('');
  } finally {
    line.close();
    process.stderr.write('\n');
  }
}

/*
 * The hashes of a backup detect damage. An HMAC-SHA-256 of the manifest, which has the hash of every part, detects changes. Its
 * key is derived from TOMBSTONE_KEY, which a system keeps for ever. A passphrase decrypts that key in the file's own secrets.
 */

const macKeyOf = (tombstoneKey: string) => Buffer.from(hkdfSync('sha256', tombstoneKey, 'cord', 'backup manifest', 32));

/**
 * @param tombstoneKey of the exported system
 * @returns 64 hex characters
 */
export function macOf(manifest: Buffer, tombstoneKey: string): string {
  return createHmac('sha256', macKeyOf(tombstoneKey)).update(manifest).digest('hex');
}

/**
 * Whether the holder of this key wrote a manifest.
 * @param mac from macOf
 */
export function isAuthentic(manifest: Buffer, mac: string, tombstoneKey: string) {
  const [found, expected] = [Buffer.from(mac, 'hex'), Buffer.from(macOf(manifest, tombstoneKey), 'hex')];
  return found.length === expected.length && timingSafeEqual(found, expected);
}
