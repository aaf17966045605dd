import type { Connection } from 'mongoose';
import { createClientErrorStore } from './client-errors.js';
import { createErasureStore } from './erasures.js';
import { createFactStore } from './facts.js';
import { createRevocationStore } from './revocations.js';
import { createSessionStore } from './sessions.js';
import { createKeyStore } from './signing-keys.js';
import { createSupportStore } from './support.js';
import { createTransactionStore } from './transactions.js';
import { createUserStore } from './users.js';

/** Every collection of auth. */
export function createStores(connection: Connection) {
  const users = createUserStore(connection);
  const sessions = createSessionStore(connection);
  const transactions = createTransactionStore(connection);
  const revocations = createRevocationStore(connection);
  const support = createSupportStore(connection);
  const erasures = createErasureStore(connection);
  const clientErrors = createClientErrorStore(connection);
  return {
    users,
    sessions,
    transactions,
    revocations,
    support,
    erasures,
    clientErrors,
    facts: createFactStore(connection),
    keys: createKeyStore(connection),
    /** Deletes expired documents. Each use checks expiry itself, so this is only cleanup. */
    async removeExpired(nowMs: number) {
      await sessions.removeExpired(nowMs);
      await transactions.removeExpired(nowMs);
      await revocations.removeExpired(nowMs);
      await clientErrors.removeExpired(nowMs);
    },
  };
}
