/** What must hold does not. */
export class Violation extends Error {}

export interface Outcome {
  /** What was broken, or null. */
  readonly violation: string | null;
  /** Store and bus operations of the run. */
  readonly steps: number;
}

/** A world of processes, and what was broken in it. */
interface Simulated {
  violation: unknown;
  readonly scheduler: { step(): void };
}

/** One seed's run: phases of work, whose operations happen one after the other. */
export class Run {
  private steps = 0;

  /** @param stepsMax operations at most; a run that needs more does not come to an end */
  constructor(
    private readonly world: Simulated,
    private readonly stepsMax: number,
  ) {}

  /**
   * Lets operations happen until the work is done, or something is broken.
   * @param passTime called before each operation
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
      if (this.steps >= this.stepsMax) world.violation = new Violation('the run does not come to an end');
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

/** Lets every continuation run that the last operation has set free. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
