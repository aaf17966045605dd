import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** One sign-in on its way through Discord: what the callback must match (services/README.md#sign-in-and-rights). */
export interface TransactionDoc {
  /** 128 random bits, known only to the browser's signed cookie. */
  _id: string;
  state: string;
  /** PKCE; null where Discord is called without it. */
  codeVerifier: string | null;
  referralCode: string | null;
  /** The app's own query that the browser comes back to; absent where it comes back to the first page. */
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
    /** Takes the transaction away: it is good for one callback. Null when it is unknown, used or expired. */
    async take(id: string, nowMs: number) {
      const taken = await transactions.findOneAndDelete({ _id: id });
      return taken && taken.expiresAtMs > nowMs ? taken : null;
    },
    async removeExpired(nowMs: number) {
      await transactions.deleteMany({ expiresAtMs: { $lte: nowMs } });
    },
  };
}
