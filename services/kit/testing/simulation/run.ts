/** An invariant is violated. */
export class Violation extends Error {}

export interface Outcome {
  /** The violation, or null. */
  readonly violation: string | null;
  /** Store and bus operations of the run. */
  readonly steps: number;
}

/** A world of processes, and its violation. */
interface Simulated {
  violation: unknown;
  readonly scheduler: { step(): void };
}

/** One seed's run: phases of work, with operations in sequence. */
export class Run {
  private steps = 0;

  /** @param stepsMax maximum operations; a run that needs more never ends */
  constructor(
    private readonly world: Simulated,
    private readonly stepsMax: number,
  ) {}

  /**
   * Executes operations until the work is done or an invariant is violated.
   * @param passTime runs before each operation
   */
  async drive(work: Promise<unknown>, passTime: () => void = () => {}): Promise<void> {
    const { world } = this;
    let done = false;
    work.then(
      () => {
        done = true;
      },
      (error) => {
        world.violation ??= error;
      },
    );
    await turn();
    while (!done && world.violation === null) {
      if (this.steps >= this.stepsMax) world.violation = new Violation('the run does not end');
      this.steps += 1;
      passTime();
      world.scheduler.step();
      await turn();
    }
  }

  get outcome(): Outcome {
    const { violation } = this.world;
    return {
      violation: violation === null ? null : String((violation as Error).message ?? violation),
      steps: this.steps,
    };
  }
}

/** Runs every continuation that the last operation released. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
