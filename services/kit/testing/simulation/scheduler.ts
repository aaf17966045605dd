import type { Chance } from './random.js';

interface Pending<Process> {
  readonly process: Process;
  readonly run: () => unknown;
  readonly writes: boolean;
  /** Runs when the effect happened without a response: a majority of the store may not have it. */
  readonly unanswered?: (() => void) | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Its process is dead: it may still happen, without a response. */
  isZombie?: true;
}

/** An operation that failed, or whose response was lost: its outcome is unknown. */
export class LostAnswer extends Error {}

/** Fault rates of operations, one in n; 0 is never. */
export interface FaultRates {
  readonly failOneIn: number;
  readonly lostOneIn: number;
  readonly crashOneIn: number;
}

export const NO_FAULTS: FaultRates = { failOneIn: 0, lostOneIn: 0, crashOneIn: 0 };

/**
 * Decides by the seed which waiting operation of any process happens next, and its fate: done, refused before its effect, done with its
 * response lost, or its process dead. A dead process's writes may land at any later time. A failover may revert a write without a
 * response.
 */
export class Scheduler<Process extends object> {
  private readonly pending: Pending<Process>[] = [];
  private readonly dead = new WeakSet<Process>();
  faults = NO_FAULTS;

  /** @param mayDie whether an operation may kill its process */
  constructor(
    private readonly chance: Chance,
    private readonly crash: (process: Process) => void,
    private readonly violated: (error: unknown) => void,
    private readonly mayDie: (process: Process) => boolean = () => true,
  ) {}

  /**
   * Queues an operation of a process; it happens when the scheduler picks it. A dead process starts none.
   * @param writes whether it changes anything
   */
  operation<T>(process: Process, run: () => T, writes = false, unanswered?: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.dead.has(process)) return;
      this.pending.push({ process, run, writes, unanswered, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Whether a process has no pending operation. */
  isIdle(process: Process): boolean {
    return this.pending.every((op) => op.process !== process);
  }

  /** Kills a process: each of its waiting writes may still land, with a chance of one half. */
  drop(process: Process): void {
    this.dead.add(process);
    for (let i = this.pending.length - 1; i >= 0; i -= 1) {
      const op = this.pending[i];
      if (op?.process !== process) continue;
      if (op.writes && this.chance.oneIn(2)) op.isZombie = true;
      else this.pending.splice(i, 1);
    }
  }

  /** Whether operations are waiting. */
  get isBusy(): boolean {
    return this.pending.length > 0;
  }

  /** Executes one waiting operation. */
  step(): void {
    const [op] = this.pending.splice(this.chance.int(this.pending.length), 1);
    if (!op) return;
    const goesWrong = (oneIn: number) => oneIn > 0 && this.chance.oneIn(oneIn);
    const { failOneIn, lostOneIn, crashOneIn } = this.faults;
    const crashes = !op.isZombie && this.mayDie(op.process) && goesWrong(crashOneIn);
    if (!op.isZombie && ((crashes && this.chance.oneIn(2)) || goesWrong(failOneIn))) {
      if (crashes) this.crash(op.process);
      else op.reject(new LostAnswer('not done'));
      return;
    }
    let value: unknown;
    try {
      value = op.run();
    } catch (error) {
      // The store may refuse with its own errors; anything else is a violation.
      if ((error as { code?: unknown }).code === 11_000 || error instanceof LostAnswer) op.reject(error);
      else this.violated(error);
      return;
    }
    const isLost = !crashes && goesWrong(lostOneIn);
    if (op.isZombie || crashes || isLost) op.unanswered?.();
    // Nothing continues from a dead process's write.
    if (op.isZombie) return;
    if (crashes) this.crash(op.process);
    else if (isLost) op.reject(new LostAnswer('done, answer lost'));
    else op.resolve(value);
  }
}
