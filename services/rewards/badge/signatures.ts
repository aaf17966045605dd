import { createHmac, hkdfSync } from 'node:crypto';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** Each signature pays once, for ever; kept as keyed hashes, so that they may stay after an erasure (money.md, Erasure). */
export interface UsedSignatures {
  /** Takes a signature for an order. @returns false when it belongs to another order */
  claim(signature: string, orderId: string): Promise<boolean>;
}

interface Used {
  _id: string;
  orderId: string;
}

/** @param secret TOMBSTONE_KEY */
export function createUsedSignatures(connection: Connection, secret: string): UsedSignatures {
  const key = Buffer.from(hkdfSync('sha256', secret, 'cord', 'used transaction signature', 32));
  const used = connection.collection<Used>('signatures');
  return {
    async claim(signature, orderId) {
      const _id = createHmac('sha256', key).update(signature).digest('base64url');
      try {
        await used.insertOne({ _id, orderId });
        return true;
      } catch (err) {
        if (!isDuplicateKey(err)) throw err;
        return (await used.findOne({ _id }))?.orderId === orderId;
      }
    },
  };
}
