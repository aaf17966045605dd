import { LEDGER_BOUNDS } from './bounds.js';
import { refuse } from './refusal.js';

/**
 * Lets the calls on one account run one after another within this replica, so that many tabs do not fight over the
 * compare-and-set. Between replicas the compare-and-set alone decides.
 */
export class Turns {
  private readonly tails = new Map<string, { tail: Promise<void>; waiting: number }>();

  /** @param waitingMax calls that wait for one account, the running one among them */
  constructor(private readonly waitingMax: number = LEDGER_BOUNDS.waiting) {}

  /** Runs when all earlier calls for the key are done. @throws LedgerRefusal `busy` when too many wait. */
  async take<R>(key: string, run: () => Promise<R>): Promise<R> {
    const line = this.tails.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
    if (line.waiting >= this.waitingMax) throw refuse('busy', 'Too many calls for this account at once. Try again.');
    line.waiting += 1;
    this.tails.set(key, line);
    const before = line.tail;
    let done: () => void = () => {};
    line.tail = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    try {
      return await run();
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) this.tails.delete(key);
      done();
    }
  }
}
