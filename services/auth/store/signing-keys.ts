import { collection } from '@cord/kit/collection';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import type { KeyTimes } from '../domain/signing-keys.js';

/** A signing key at rest. */
export interface StoredKey extends KeyTimes {
  /** JSON of the public JWK. */
  publicJwk: string;
  /** JSON of the private JWK, sealed. */
  sealedPrivateJwk: string;
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/** The generation is the document's id, so that two replicas cannot both create number n. */
type KeyDoc = Omit<StoredKey, 'kid' | 'generation'> & { _id: number; kid: string };

export const SIGNING_KEYS = collection<KeyDoc>({ name: 'signing_keys' });

export function createKeyStore(connection: Connection) {
  const keys = SIGNING_KEYS.in(connection);
  return {
    async all(): Promise<StoredKey[]> {
      const docs = await keys.find().toArray();
      return docs.map(({ _id, ...key }) => ({ ...key, generation: _id }));
    },
    /** Adds a key unless another replica has created this generation. Returns whether it was added. */
    add: ({ generation, ...key }: StoredKey) => insertOnce(() => keys.insertOne({ _id: generation, ...key })),
    /** Seals a key again, unless it was removed or sealed otherwise since. */
    async reseal({ kid, sealedPrivateJwk: former }: StoredKey, sealedPrivateJwk: string) {
      await keys.updateOne({ kid, sealedPrivateJwk: former }, { $set: { sealedPrivateJwk } });
    },
    async removeAll(kids: readonly string[]) {
      if (kids.length > 0) await keys.deleteMany({ kid: { $in: [...kids] } });
    },
  };
}
