import { collection } from '@cord/kit/collection';
import { keyedHashBy } from '@cord/kit/keyed-hash';
import type { Connection } from 'mongoose';
import type { Refund } from './refunds.js';

/** What transactions have brought back; each counts once, for ever. Kept as keyed hashes, so that they may stay after an erasure. */
export type Returns = ReturnType<typeof createReturns>;

interface Returned {
  /** Keyed hash of transaction and wallet. */
  _id: string;
  /** Lamports by the keyed hash of each refund. */
  refunds: Record<string, number>;
}

export const RETURNS = collection<Returned>({ name: 'returns' });

/** @param key 32 bytes, from SIGNATURES_KEY */
export function createReturns(connection: Connection, key: Buffer) {
  const returns = RETURNS.in(connection);
  const hashOf = keyedHashBy(key);
  const idOf = (returnTransaction: string, payer: string) => hashOf(`${returnTransaction}|${payer}`);
  return {
    /** Keeps what of a transaction returned a refund, for good; repeatable. */
    async keep(returnTransaction: string, { _id, payer, lamports }: Refund) {
      const kept = { [`refunds.${hashOf(_id)}`]: lamports };
      await returns.updateOne({ _id: idOf(returnTransaction, payer) }, { $set: kept }, { upsert: true });
    },
    /**
     * What a transaction has to bring a payer back for what it returned before and for these refunds together, lamports.
     * @param others that are open without it: none of them was returned by it
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
