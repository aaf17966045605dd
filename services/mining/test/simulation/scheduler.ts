import type { Chance } from './random.js';

/** One store or bus operation that a replica waits for. */
interface Pending {
  replica: number;
  run: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Of an operation whose replica is dead. */
const NOBODY = -1;

export class LostAnswer extends Error {}

/** How often an operation goes wrong, one in n; 0 is never. */
export interface FaultRates {
  failOneIn: number;
  lostOneIn: number;
  crashOneIn: number;
}

/**
 * Decides, by the seed, which of the waiting operations happens next and what becomes of it: done, refused before its
 * effect, done with its answer lost, or done or not and its replica dead.
 */
export class Scheduler {
  private readonly pending: Pending[] = [];
  faults: FaultRates = { failOneIn: 0, lostOneIn: 0, crashOneIn: 0 };

  constructor(
    private readonly chance: Chance,
    private readonly crash: (replica: number) => void,
    private readonly violated: (error: unknown) => void,
  ) {}

  get waiting(): number {
    return this.pending.length;
  }

  /** An operation of a replica; it happens when the scheduler comes to it. */
  operation<T>(replica: number, run: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.pending.push({ replica, run, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** A dead replica never gets the results of its operations; what is on its way already may still happen, later. */
  drop(replica: number): void {
    for (let i = this.pending.length - 1; i >= 0; i -= 1) {
      const op = this.pending[i];
      if (op?.replica !== replica) continue;
      if (this.chance.oneIn(2)) this.pending.splice(i, 1);
      else this.pending[i] = { ...op, replica: NOBODY, resolve: () => {}, reject: () => {} };
    }
  }

  /** Lets one waiting operation happen. */
  step(): void {
    const [op] = this.pending.splice(this.chance.int(this.pending.length), 1);
    if (!op) return;
    const { failOneIn, lostOneIn, crashOneIn } = this.faults;
    const goesWrong = (oneIn: number) => oneIn > 0 && this.chance.oneIn(oneIn);
    const crashes = op.replica !== NOBODY && goesWrong(crashOneIn);
    if ((crashes && this.chance.oneIn(2)) || goesWrong(failOneIn)) {
      if (crashes) this.crash(op.replica);
      else op.reject(new LostAnswer('not done'));
      return;
    }
    let value: unknown;
    try {
      value = op.run();
    } catch (error) {
      this.violated(error);
      return;
    }
    if (crashes) this.crash(op.replica);
    else if (goesWrong(lostOneIn)) op.reject(new LostAnswer('done, answer lost'));
    else op.resolve(value);
  }
}
