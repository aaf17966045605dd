import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** One sign-in in progress at Discord: the values that the callback must match (services/README.md#sign-in-and-rights). */
export interface TransactionDoc {
  /** 128 random bits, known only to the browser's signed cookie. */
  _id: string;
  state: string;
  /** PKCE; null when Discord is called without it. */
  codeVerifier: string | null;
  referralCode: string | null;
  /** The app's own query to which the browser returns; absent for the first page. */
  back?: string | null;
  expiresAtMs: number;
}

export const OAUTH_TRANSACTIONS = collection<TransactionDoc>({
  name: 'oauth_transactions',
  indexes: [{ key: { expiresAtMs: 1 } }],
});

export type TransactionStore = ReturnType<typeof createTransactionStore>;

export function createTransactionStore(connection: Connection) {
  const transactions = OAUTH_TRANSACTIONS.in(connection);
  return {
    async insert(transaction: TransactionDoc) {
      await transactions.insertOne(transaction);
    },
    /** Deletes and returns the transaction: it is valid for one callback. Null when it is unknown, used or expired. */
    async take(id: string, nowMs: number) {
      const taken = await transactions.findOneAndDelete({ _id: id });
      return taken && taken.expiresAtMs > nowMs ? taken : null;
    },
    async removeExpired(nowMs: number) {
      await transactions.deleteMany({ expiresAtMs: { $lte: nowMs } });
    },
  };
}
