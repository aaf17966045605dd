import { randomBytes } from 'node:crypto';
import { type PublicJwk, publicJwk, SESSION_ALGORITHM, SESSION_ISSUER } from '@cord/kit/edge/session-token';
import type { Seal } from '@cord/kit/seal';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { nextKey, publishedKeys, signingKey } from '../domain/signing-keys.js';
import type { KeyStore, StoredKey } from '../store/signing-keys.js';

/** The purpose of KEY_ENCRYPTION_KEY here. */
export const SIGNING_KEYS = 'signing keys';

/** The signing keys of session tokens: created in time, published ahead, sealed at rest (services/README.md#sign-in-and-rights). */
export type KeyRing = ReturnType<typeof createKeyRing>;

interface PublishedKey {
  kid: string;
  jwk: PublicJwk;
}

export function createKeyRing(deps: { store: KeyStore; seal: Seal; now: () => number }) {
  const { store, seal, now } = deps;
  let stored: StoredKey[] = [];
  const opened = new Map<string, CryptoKey>();

  let last: Promise<unknown> = Promise.resolve();
  /** Serialized: an older read never replaces a newer one. */
  function refresh(): Promise<PublishedKey[]> {
    const next = last.then(read);
    last = next.catch(() => undefined);
    return next;
  }

  async function read(): Promise<PublishedKey[]> {
    stored = await store.all();
    const due = nextKey(stored, now());
    if (due) {
      const made = { ...(await makeKey(seal)), ...due };
      await store.add(made);
      // KEY_ENCRYPTION_KEY was renewed meanwhile: this key could not be opened later. The next read creates another one.
      if (!(await seal.isOfFirst(made.sealedPrivateJwk, made.kid))) await store.removeAll([made.kid]);
      stored = await store.all();
    }
    const kept = publishedKeys(stored, now());
    await store.removeAll(stored.filter((key) => !kept.includes(key)).map((key) => key.kid));
    stored = kept;
    for (const kid of opened.keys()) if (!kept.some((key) => key.kid === kid)) opened.delete(kid);
    return published();
  }

  function published(): PublishedKey[] {
    return publishedKeys(stored, now()).map((key) => ({
      kid: key.kid,
      jwk: publicJwk.parse(JSON.parse(key.publicJwk)),
    }));
  }

  async function current() {
    const key = signingKey(stored, now());
    if (!key) throw new Error('no signing key; refresh the ring first');
    let privateKey = opened.get(key.kid);
    if (!privateKey) {
      privateKey = (await importJWK(
        JSON.parse(await seal.open(key.sealedPrivateJwk, key.kid)) as JWK,
        'EdDSA',
      )) as CryptoKey;
      opened.set(key.kid, privateKey);
    }
    return { kid: key.kid, privateKey };
  }

  return {
    /** Creates the next key when due, reads other replicas' keys, and returns the keys to publish. */
    refresh,
    current,
    published,
  };
}

/** Creates a key with a sealed private part. */
export async function makeKey(seal: Seal): Promise<Omit<StoredKey, 'generation' | 'signsFromMs'>> {
  const { publicKey, privateKey } = await generateKeyPair(SESSION_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const kid = randomBytes(16).toString('hex');
  return {
    kid,
    publicJwk: JSON.stringify({
      ...(await exportJWK(publicKey)),
      kid,
      alg: SESSION_ALGORITHM,
      use: 'sig',
      iss: SESSION_ISSUER,
    }),
    sealedPrivateJwk: await seal.seal(JSON.stringify(await exportJWK(privateKey)), kid),
  };
}
