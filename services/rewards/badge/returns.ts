import { collection } from '@cord/kit/collection';
import { keyedHashBy } from '@cord/kit/keyed-hash';
import type { Connection } from 'mongoose';
import type { Refund } from './refunds.js';

/** Stores the amounts that transactions returned; each counts once, for ever. Keyed hashes may be kept after an erasure. */
export type Returns = ReturnType<typeof createReturns>;

interface Returned {
  /** Keyed hash of transaction and wallet. */
  _id: string;
  /** Lamports by keyed hash of each refund. */
  refunds: Record<string, number>;
}

export const RETURNS = collection<Returned>({ name: 'returns' });

/** @param key 32 bytes, from SIGNATURES_KEY */
export function createReturns(connection: Connection, key: Buffer) {
  const returns = RETURNS.in(connection);
  const hashOf = keyedHashBy(key);
  const idOf = (returnTransaction: string, payer: string) => hashOf(`${returnTransaction}|${payer}`);
  return {
    /** Stores for good that a transaction returned a refund; repeatable. */
    async keep(returnTransaction: string, { _id, payer, lamports }: Refund) {
      const kept = { [`refunds.${hashOf(_id)}`]: lamports };
      await returns.updateOne({ _id: idOf(returnTransaction, payer) }, { $set: kept }, { upsert: true });
    },
    /**
     * Returns the amount that a transaction must return to a payer, for its earlier refunds and these together, lamports.
     * @param others open refunds not noted for it: they are excluded, since it did not return them
     */
    async owedWith(
      returnTransaction: string,
      payer: string,
      { named, others }: Readonly<Record<'named' | 'others', readonly Refund[]>>,
    ) {
      const before = await returns.findOne({ _id: idOf(returnTransaction, payer) });
      const owed = new Map(Object.entries(before?.refunds ?? {}));
      for (const { _id } of others) owed.delete(hashOf(_id));
      for (const { _id, lamports } of named) owed.set(hashOf(_id), lamports);
      return [...owed.values()].reduce((sum, lamports) => sum + BigInt(lamports), 0n);
    },
  };
}
