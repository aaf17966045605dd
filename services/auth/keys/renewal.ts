import type { Seal } from '@cord/kit/seal';
import { PUBLISHED_AHEAD_MS } from '../domain/signing-keys.js';
import type { SessionStore } from '../store/sessions.js';
import type { KeyStore, StoredKey } from '../store/signing-keys.js';
import { makeKey } from './key-ring.js';

/*
 * Operations on the signing keys at rest, with or without running replicas of auth. Each replica reads the store every second,
 * signs with the keys found there and notifies the services. Every operation can be repeated after an interruption.
 */

interface KeysAtRest {
  keys: KeyStore;
  seal: Seal;
  /** Clock of the system that owns the keys, ms since epoch. */
  now: () => number;
}

/**
 * Creates the next key early; it signs once every service has it, without any effect for users.
 * @returns the key and when it signs; an earlier renewal that is still pending counts
 */
export async function renewSigningKey({ keys, seal, now }: KeysAtRest): Promise<StoredKey> {
  for (;;) {
    const newest = newestOf(await keys.all());
    if (newest && newest.signsFromMs > now()) return newest;
    const next = { ...(await makeKey(seal)), generation: (newest?.generation ?? 0) + 1 };
    const made = { ...next, signsFromMs: now() + (newest ? PUBLISHED_AHEAD_MS : 0) };
    if (await keys.add(made)) return made;
  }
}

/**
 * Replaces leaked keys: a new one signs now, all others are removed, and everybody must sign in again. A sign-in at a
 * replica that has not re-read the store within this second is valid no longer than the old key.
 * @returns the new key, the number of removed keys, the number of ended sessions
 */
export async function revokeSigningKeys({ keys, seal, now, sessions }: KeysAtRest & { sessions: SessionStore }) {
  const startedMs = now();
  for (;;) {
    const leaked = await keys.all();
    const next = { ...(await makeKey(seal)), generation: (newestOf(leaked)?.generation ?? 0) + 1 };
    const made: StoredKey = { ...next, signsFromMs: now() };
    // The new key is added first: an interruption never leaves no key at all.
    if (!(await keys.add(made))) continue;
    await keys.removeAll(leaked.map(({ kid }) => kid));
    return { made, out: leaked.length, ended: await sessions.endBegunBefore(startedMs) };
  }
}

/** Seals every key with the first value of KEY_ENCRYPTION_KEY. @returns the number of keys that were sealed with another one */
export async function resealSigningKeys({ keys, seal }: Pick<KeysAtRest, 'keys' | 'seal'>): Promise<number> {
  let resealed = 0;
  for (const key of await keys.all()) {
    if (await seal.isOfFirst(key.sealedPrivateJwk, key.kid)) continue;
    await keys.reseal(key, await seal.seal(await seal.open(key.sealedPrivateJwk, key.kid), key.kid));
    resealed += 1;
  }
  return resealed;
}

function newestOf(keys: readonly StoredKey[]): StoredKey | undefined {
  return keys.reduce<StoredKey | undefined>(
    (best, key) => (best && best.generation > key.generation ? best : key),
    undefined,
  );
}
