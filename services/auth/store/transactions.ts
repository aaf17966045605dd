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

export interface TransactionStore {
  insert(transaction: TransactionDoc): Promise<void>;
  /** Takes the transaction away: it is good for one callback. Null when it is unknown, used or expired. */
  take(id: string, nowMs: number): Promise<TransactionDoc | null>;
  removeExpired(nowMs: number): Promise<void>;
}

export function createTransactionStore(connection: Connection): TransactionStore {
  const transactions = OAUTH_TRANSACTIONS.in(connection);
  return {
    async insert(transaction) {
      await transactions.insertOne(transaction);
    },
    async take(id, nowMs) {
      const taken = await transactions.findOneAndDelete({ _id: id });
      return taken && taken.expiresAtMs > nowMs ? taken : null;
    },
    async removeExpired(nowMs) {
      await transactions.deleteMany({ expiresAtMs: { $lte: nowMs } });
    },
  };
}
