import { rulesRpc } from '@cord/contracts/rpc/ledger';
import { bookAt, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX, RULES_READ_EVERY_MS } from './bounds.js';
import type { Clock } from './clock.js';
import type { Log } from './log.js';
import type { Nats } from './nats.js';
import type { PeriodicWork } from './periodic.js';
import { unavailable } from './problem.js';
import { createRefreshed } from './shared.js';

/** The rule books, as this replica has read them from the ledger. */
export type Rules = ReturnType<typeof followRules>;

/**
 * Follows the rule books of the ledger. The ledger stores a book earlier than RULES_AGE_MS_MAX before it holds, or never (services/mining/epochs.ts), so that an answer
 * younger than that has every book of the present; by an older one nothing is paid.
 */
export function followRules(parts: { nats: Pick<Nats, 'request'>; clock: Pick<Clock, 'now'>; log: Pick<Log, 'warn'> }) {
  const { nats, clock, log } = parts;
  let books = FIRST_BOOKS;
  const read = async () => {
    ({ books } = await nats.request(rulesRpc, {}));
  };
  const { refresh, demand, isFresh } = createRefreshed(read, RULES_AGE_MS_MAX, () => clock.now());
  const areKnown = async (): Promise<boolean> => {
    await demand()?.catch((err: unknown) => log.warn({ err }, 'the rules cannot be read'));
    return isFresh();
  };
  return {
    /** The book of a time as far as it is known, the first one before anything is: for what is shown. */
    book: (atMs: number) => bookAt(books, atMs),
    /** Whether something can be paid now. */
    areKnown,
    /** The book by which something is paid at a time of the present. @throws Problem 503 `rules-old` while the ledger was not reached for RULES_AGE_MS_MAX */
    async demand(atMs: number) {
      if (!(await areKnown()))
        throw unavailable('rules-old', 'This is not possible right now. Please try again in a moment.', 5);
      return bookAt(books, atMs);
    },
    /** Requests the books now. @throws while the ledger does not answer */
    read: refresh,
    /** Requests them again and again: each replica by itself. */
    work: {
      name: 'rules',
      everyMs: RULES_READ_EVERY_MS,
      everywhere: 'each replica pays by the books that it holds itself',
      run: refresh,
    } satisfies PeriodicWork,
  };
}
