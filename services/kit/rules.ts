import { rulesRpc } from '@cord/contracts/rpc/ledger';
import { bookAt, FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX, RULES_READ_EVERY_MS } from './bounds.js';
import type { Clock } from './clock.js';
import type { Log } from './log.js';
import { together } from './metrics.js';
import type { Nats } from './nats.js';
import type { PeriodicWork } from './periodic.js';
import { unavailable } from './problem.js';

/** The rule books, as this replica has read them from the ledger. */
export interface Rules {
  /** The book of a time as far as it is known, the first one before anything is: for what is shown. */
  book(atMs: number): RuleBook;
  /** The book by which something is paid at a time of the present. @throws Problem 503 `rules-old` while the ledger was not reached for RULES_AGE_MS_MAX */
  demand(atMs: number): Promise<RuleBook>;
  /** Whether something can be paid now. */
  areKnown(): Promise<boolean>;
  /** Requests the books now. @throws while the ledger does not answer */
  read(): Promise<void>;
  /** Requests them again and again: each replica by itself. */
  readonly work: PeriodicWork;
}

/**
 * Follows the rule books of the ledger. The ledger has a book RULES_AHEAD_MS_LEAST before it holds (rules/epochs.ts), so that an answer of the last
 * RULES_AGE_MS_MAX has every book of the present; by an older one nothing is paid.
 */
export function followRules(parts: {
  nats: Pick<Nats, 'request'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}): Rules {
  const { nats, clock, log } = parts;
  let books = FIRST_BOOKS;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const isOld = () => Math.abs(clock.now() - readAtMs) > RULES_AGE_MS_MAX;
  // All claims while the rules are old wait for one request.
  const read = together(async () => {
    const fromMs = clock.now();
    ({ books } = await nats.request(rulesRpc, {}));
    readAtMs = fromMs;
  });
  const areKnown = async (): Promise<boolean> => {
    if (isOld()) await read().catch((err: unknown) => log.warn({ err }, 'the rules cannot be read'));
    return !isOld();
  };
  return {
    book: (atMs) => bookAt(books, atMs),
    areKnown,
    async demand(atMs) {
      if (!(await areKnown()))
        throw unavailable('rules-old', 'This is not possible right now. Please try again in a moment.', 5);
      return bookAt(books, atMs);
    },
    read,
    work: {
      name: 'rules',
      everyMs: RULES_READ_EVERY_MS,
      everywhere: 'each replica pays by the books that it holds itself',
      run: read,
    },
  };
}
