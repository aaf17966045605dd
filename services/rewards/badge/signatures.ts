import { collection } from '@cord/kit/collection';
import { keyedHashBy } from '@cord/kit/keyed-hash';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** Stores used signatures: each pays once, for ever. Keyed hashes may be kept after an erasure (services/README.md#erasure). */
export type UsedSignatures = ReturnType<typeof createUsedSignatures>;

type SignatureClaim = { first: true } | { first: false; isEarlier: (key: string) => boolean };

interface Used {
  _id: string;
  orderId: string;
  /** Keyed hashes of the references of all orders that it was judged for, in sequence. */
  references: string[];
}

export const SIGNATURES = collection<Used>({ name: 'signatures' });

/** @param key 32 bytes, from SIGNATURES_KEY */
export function createUsedSignatures(connection: Connection, key: Buffer) {
  const used = SIGNATURES.in(connection);
  const hashOf = keyedHashBy(key);
  return {
    /**
     * Claims a signature for an order, for good; repeating it for the same order returns the same result.
     * @returns `first`: it pays this order. Else `isEarlier`, which reports whether a key is the reference of an
     *   order that was judged for it before
     */
    async claim(
      signature: string,
      { _id: orderId, reference }: { _id: string; reference: string },
    ): Promise<SignatureClaim> {
      const _id = hashOf(signature);
      const mine = hashOf(reference);
      if (await insertOnce(() => used.insertOne({ _id, orderId, references: [mine] }))) return { first: true };
      await used.updateOne({ _id }, { $addToSet: { references: mine } });
      const found = await used.findOne({ _id });
      if (!found || found.orderId === orderId) return { first: true };
      const before = found.references.slice(0, found.references.indexOf(mine));
      return { first: false, isEarlier: (named) => before.includes(hashOf(named)) };
    },
  };
}
