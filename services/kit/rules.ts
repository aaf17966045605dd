import { rulesRpc } from '@cord/contracts/rpc/ledger';
import { bookAt, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX, RULES_READ_EVERY_MS } from './bounds.js';
import type { Clock } from './clock.js';
import type { Log } from './log.js';
import type { Nats } from './nats.js';
import type { PeriodicWork } from './periodic.js';
import { unavailable } from './problem.js';
import { createRefreshed } from './shared.js';

/** The rule books that this replica has read from the ledger. */
export type Rules = ReturnType<typeof followRules>;

/**
 * Follows the ledger's rule books. The ledger stores a book more than RULES_AGE_MS_MAX before it takes effect, or never
 * (services/mining/epochs.ts). So a younger response has every current book; with an older one nothing is paid.
 */
export function followRules(parts: { nats: Pick<Nats, 'request'>; clock: Pick<Clock, 'now'>; log: Pick<Log, 'warn'> }) {
  const { nats, clock, log } = parts;
  let books = FIRST_BOOKS;
  const read = async () => {
    ({ books } = await nats.request(rulesRpc, {}));
  };
  const { refresh, ensureFresh, isFresh } = createRefreshed(read, RULES_AGE_MS_MAX, () => clock.now());
  const areKnown = async (): Promise<boolean> => {
    await ensureFresh()?.catch((err: unknown) => log.warn({ err }, 'the rules cannot be read'));
    return isFresh();
  };
  return {
    /** Returns the book of a time as far as known, for display; the first one before any response. */
    book: (atMs: number) => bookAt(books, atMs),
    /** Whether payments are possible now. */
    areKnown,
    /** Returns the book for a payment at a current time. @throws Problem 503 `rules-old` when the ledger was not reached for RULES_AGE_MS_MAX */
    async bookForPayment(atMs: number) {
      if (!(await areKnown()))
        throw unavailable('rules-old', 'This is not possible right now. Please try again in a moment.', 5);
      return bookAt(books, atMs);
    },
    /** Requests the books now. @throws while the ledger does not respond */
    read: refresh,
    /** Requests them periodically, in each replica. */
    work: {
      name: 'rules',
      everyMs: RULES_READ_EVERY_MS,
      everywhere: 'each replica pays by the books that it holds itself',
      run: refresh,
    } satisfies PeriodicWork,
  };
}
