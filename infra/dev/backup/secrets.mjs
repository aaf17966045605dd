import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { StartError } from '../starter/problems.mjs';

const derive = promisify(scrypt);

/** A guess costs 128 MiB and about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MEMORY_MAX = 256 * 1024 * 1024;
const CIPHER = 'aes-256-gcm';
const PASSPHRASE_MIN = 12;

/** What is secret in a backup: without these nobody reads address hashes and tombstones again. */
export const BACKED_UP = [
  'SESSION_SECRET',
  'KEY_ENCRYPTION_KEY',
  'ADDRESS_HASH_KEY',
  'TOMBSTONE_KEY',
  'DISCORD_CLIENT_SECRET',
  'VAPID_PRIVATE_KEY',
];

/**
 * Secrets that only a passphrase opens.
 * @param {Record<string, string>} secrets @param {string} passphrase @param {string} bound what they belong to: it is no secret, and opens only with it
 * @param {{N: number, r: number, p: number}} [cost] of a guess
 * @returns {Promise<Buffer>}
 */
export async function sealSecrets(secrets, passphrase, bound, cost = COST) {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt, cost), iv).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  const text = (bytes) => bytes.toString('base64');
  const how = { kdf: 'scrypt', ...cost, cipher: CIPHER, salt: text(salt), iv: text(iv), sealed: text(sealed) };
  return Buffer.from(`${JSON.stringify(how)}\n`);
}

/**
 * @param {Buffer} bytes of sealSecrets @param {string} bound as it was given there
 * @returns {Promise<Record<string, string>>}
 * @throws {StartError} for another passphrase, or bytes that were changed
 */
export async function openSecrets(bytes, passphrase, bound) {
  const { N, r, p, salt, iv, sealed } = JSON.parse(bytes.toString('utf8'));
  const whole = Buffer.from(sealed, 'base64');
  // What the file says of its own cost is believed up to ours: more could not be afforded.
  if (!(N <= COST.N && r <= COST.r && p <= COST.p)) throw new StartError('the secrets are sealed by a newer release.');
  try {
    const key = await keyOf(passphrase, Buffer.from(salt, 'base64'), { N, r, p });
    const open = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
    open.setAAD(Buffer.from(bound)).setAuthTag(whole.subarray(-16));
    return JSON.parse(Buffer.concat([open.update(whole.subarray(0, -16)), open.final()]).toString('utf8'));
  } catch {
    throw new StartError('the passphrase does not open the secrets of this file.');
  }
}

const keyOf = (passphrase, salt, cost) =>
  derive(passphrase.normalize('NFKC'), salt, 32, { ...cost, maxmem: MEMORY_MAX });

/** Tells whether two keys are the same, and nothing else of them. @param {string} key of at least 32 characters */
export const fingerprint = (key) => createHmac('sha256', key).update('cord backup').digest('hex').slice(0, 16);

/**
 * The passphrase: of a file, of BACKUP_PASSPHRASE, or asked for on the terminal without showing it.
 * @param {string | undefined} file @param {NodeJS.ProcessEnv} env
 * @throws {StartError} when there is none, or one that is too short
 */
export async function passphraseFrom(file, env) {
  const passphrase = file === undefined ? (env.BACKUP_PASSPHRASE ?? (await asked())) : await ofFile(file);
  if (passphrase.length < PASSPHRASE_MIN)
    throw new StartError(`a passphrase has at least ${PASSPHRASE_MIN} characters.`);
  return passphrase;
}

async function ofFile(file) {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(`the passphrase file ${file} cannot be read.`);
  });
  return text.replace(/\r?\n$/, '');
}

async function asked() {
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
