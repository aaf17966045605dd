import type { Seal } from '@cord/kit/seal';
import { PUBLISHED_AHEAD_MS } from '../domain/signing-keys.js';
import type { SessionStore } from '../store/sessions.js';
import type { KeyStore, StoredKey } from '../store/signing-keys.js';
import { makeKey } from './key-ring.js';

/*
 * What an operator does to the signing keys at rest, beside running replicas of auth: each looks into the store every second,
 * signs with what it finds there and notifies the services. Everything here may be done again after it was broken off.
 */

interface KeysAtRest {
  keys: KeyStore;
  seal: Seal;
  /** ms since epoch, of the system that the keys are of. */
  now: () => number;
}

/**
 * Makes the next key ahead of its time; it signs once every service has it, without any effect for users.
 * @returns which key it is and when it signs; an earlier renewal that still waits counts
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
 * A key has leaked: a new one signs now, every other one is out, and everybody signs in again. A sign-in of the very second
 * in which a replica has not looked into the store holds no longer than the old key.
 * @returns the new key, how many keys are out, how many sessions ended
 */
export async function revokeSigningKeys({ keys, seal, now, sessions }: KeysAtRest & { sessions: SessionStore }) {
  const startedMs = now();
  for (;;) {
    const leaked = await keys.all();
    const next = { ...(await makeKey(seal)), generation: (newestOf(leaked)?.generation ?? 0) + 1 };
    const made: StoredKey = { ...next, signsFromMs: now() };
    // The new one first: broken off here, there is never no key at all.
    if (!(await keys.add(made))) continue;
    await keys.removeAll(leaked.map(({ kid }) => kid));
    return { made, out: leaked.length, ended: await sessions.endBegunBefore(startedMs) };
  }
}

/** Seals every key with the first value of KEY_ENCRYPTION_KEY. @returns how many were sealed with another */
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
