import { concat, fromBase64, HASH_BYTES, type Sha256, toBase64, u64, utf8 } from './bytes.js';

/* Signed notes (C2SP signed-note), checkpoints (tlog-checkpoint) and witness cosignatures (tlog-cosignature). */

/** Verifies an Ed25519 signature of a message. */
type VerifyEd25519 = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>;

/** Cryptography that proofs need. */
export interface Primitives {
  sha256: Sha256;
  ed25519: VerifyEd25519;
}

/** Kinds of signatures: of a log over the note itself, of a witness over the note and a time. */
const PLAIN = 1;
export const COSIGNATURE = 4;
type Kind = typeof PLAIN | typeof COSIGNATURE;

/** Maximum number of signatures on a note. */
const SIGNATURES_MAX = 16;

/** A verifier key, parsed from its text `name+id+base64`. */
export interface VerifierKey {
  name: string;
  /** Four bytes in hex. */
  id: string;
  kind: Kind;
  key: Uint8Array;
}

interface Signature {
  name: string;
  id: string;
  bytes: Uint8Array;
}

export interface Note {
  /** Includes its final newline. */
  text: string;
  signatures: Signature[];
}

const isName = (name: string) => name !== '' && !/[\s+]|\p{Surrogate}/u.test(name);
const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function keyId(sha256: Sha256, name: string, kind: Kind, key: Uint8Array): Uint8Array {
  return sha256(concat(utf8(`${name}\n`), Uint8Array.of(kind), key)).slice(0, 4);
}

/** Returns the text of a verifier key. @param key 32 bytes of Ed25519 */
export function vkeyOf(sha256: Sha256, name: string, key: Uint8Array, kind: Kind = PLAIN): string {
  return `${name}+${hex(keyId(sha256, name, kind, key))}+${toBase64(concat(Uint8Array.of(kind), key))}`;
}

/** @returns null for a malformed key, or one of an unknown kind */
export function readVkey(sha256: Sha256, vkey: string): VerifierKey | null {
  const [, name = '', id = '', text = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(vkey) ?? [];
  const bytes = fromBase64(text, HASH_BYTES + 1);
  const kind = bytes?.[0];
  if (!bytes || !isName(name) || (kind !== PLAIN && kind !== COSIGNATURE)) return null;
  const key = bytes.slice(1);
  return hex(keyId(sha256, name, kind, key)) === id && vkeyOf(sha256, name, key, kind) === vkey
    ? { name, id, kind, key }
    : null;
}

/** Parses a well-formed note without verifying it. Null for any other text. */
export function readNote(note: string): Note | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a note must not have
  if (/[\u0000-\u0009\u000b-\u001f]|\p{Surrogate}/u.test(note)) return null;
  const cut = note.lastIndexOf('\n\n');
  if (cut < 0 || !note.endsWith('\n')) return null;
  const lines = note.slice(cut + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) return null;
  const signatures = lines.map(signatureOf);
  return signatures.every((one) => one !== null) ? { text: note.slice(0, cut + 1), signatures } : null;
}

function signatureOf(line: string): Signature | null {
  const [dash, name = '', text = '', ...more] = line.split(' ');
  const bytes = fromBase64(text);
  if (dash !== '—' || !isName(name) || more.length > 0 || !bytes || bytes.length < 5) return null;
  return { name, id: hex(bytes.slice(0, 4)), bytes: bytes.slice(4) };
}

/** Returns the signature line of a log. */
export function signatureLine(sha256: Sha256, name: string, key: Uint8Array, signature: Uint8Array): string {
  return `— ${name} ${toBase64(concat(keyId(sha256, name, PLAIN, key), signature))}\n`;
}

/** Joins a note's text and signature lines. @param text ends with a newline */
export const signedNote = (text: string, lines: readonly string[]): string => `${text}\n${lines.join('')}`;

/**
 * Returns the keys that have signed a note. Lines of other keys are skipped; an invalid line of a known key invalidates the note.
 * @returns the keys, each once; `false` when a known key's line is invalid
 */
export async function signers(
  { ed25519 }: Primitives,
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
): Promise<VerifierKey[] | false> {
  const found = new Set<VerifierKey>();
  for (const { name, id, bytes } of signatures) {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (!key) continue;
    const signed = key.kind === PLAIN ? { message: utf8(text), bytes } : cosigned(text, bytes);
    if (signed?.bytes.length !== 64 || !(await ed25519(key.key, signed.message, signed.bytes))) return false;
    found.add(key);
  }
  return [...found];
}

/** Splits a cosignature into the signed message and the signature; the time is in front of the signature. */
function cosigned(text: string, bytes: Uint8Array): { message: Uint8Array; bytes: Uint8Array } | null {
  if (bytes.length !== 72) return null;
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return { message: cosignedBytes(text, seconds), bytes: bytes.slice(8) };
}

/** The bytes that a witness signs. @param seconds since epoch */
export function cosignedBytes(text: string, seconds: bigint): Uint8Array {
  return utf8(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** Returns the signature line of a witness. */
export function cosignatureLine(
  sha256: Sha256,
  { name, key, seconds, signature }: { name: string; key: Uint8Array; seconds: bigint; signature: Uint8Array },
): string {
  return `— ${name} ${toBase64(concat(keyId(sha256, name, COSIGNATURE, key), u64(seconds), signature))}\n`;
}

/** Size and root of a log at one time. */
export interface Checkpoint {
  origin: string;
  size: number;
  /** 32 bytes. */
  root: Uint8Array;
}

/** Returns the three lines of a checkpoint. @throws RangeError for an origin that is not a valid name */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  if (!isName(origin)) throw new RangeError('the origin of a log has no space and no plus');
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** @returns null for a text that is not a three-line checkpoint */
export function readCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', root = '', end, ...more] = text.split('\n');
  const bytes = fromBase64(root, HASH_BYTES);
  const isOne = isName(origin) && /^(0|[1-9]\d{0,14})$/.test(size) && end === '' && more.length === 0;
  return isOne && bytes ? { origin, size: Number(size), root: bytes } : null;
}

/** Parses the checkpoint of a note without verifying it. @returns null for any other text */
export const checkpointOf = (note: string): Checkpoint | null => readCheckpoint(readNote(note)?.text ?? '');

/**
 * Verifies and parses the checkpoint of a signed note.
 * @param vkeys keys of its log
 * @returns null for a malformed text, or when no key with its log's name has signed it
 */
export async function signedCheckpoint(
  primitives: Primitives,
  text: string,
  vkeys: readonly string[],
): Promise<Checkpoint | null> {
  const note = readNote(text);
  const checkpoint = note && readCheckpoint(note.text);
  const keys = vkeys.map((vkey) => readVkey(primitives.sha256, vkey)).filter((key) => key !== null);
  const signed = checkpoint && (await signers(primitives, note, keys));
  if (!signed) return null;
  return signed.some(({ name }) => name === checkpoint.origin) ? checkpoint : null;
}
