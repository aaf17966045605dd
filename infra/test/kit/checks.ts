const SHOWN_MAX = 10;

/** Collects the checks of a proof: prints one line each, then `N passed, N failed`. */
export class Checks {
  #held: boolean[] = [];

  /**
   * Prints whether a promise holds.
   * @param found reasons why it does not hold, one line each; null for each part that is correct
   */
  add(promise: string, found: readonly (string | null)[]): void {
    const wrong = found.filter((line) => line !== null);
    const held = wrong.length === 0;
    this.#held.push(held);
    console.log(`${held ? 'held  ' : 'BROKEN'} ${promise}`);
    for (const line of wrong.slice(0, SHOWN_MAX)) console.log(`         ${line}`);
  }

  /** Prints figures, each of which must be 0. */
  allZero(figures: readonly (readonly [name: string, value: number | string])[]): void {
    for (const [name, value] of figures) {
      console.log(`RESULT ${name}=${value}`);
      this.add(`${name} is 0`, String(value) === '0' ? [] : [String(value)]);
    }
  }

  /** Runs a step; an error breaks the promise. */
  async step(promise: string, work: () => unknown): Promise<void> {
    const startedMs = performance.now();
    const error = await Promise.resolve()
      .then(work)
      .then(
        () => undefined,
        (thrown: Error & { stdout?: string }) => thrown,
      );
    const took = `${promise} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`;
    this.add(took, error ? [`${error.message}\n${error.stdout ?? ''}`] : []);
  }

  /** Runs a step that later checks depend on. @throws Error once any promise is broken */
  async needed(promise: string, work: () => unknown): Promise<void> {
    await this.step(promise, work);
    if (this.failed > 0) throw new Error(`stopped, because later checks need this one: ${promise}`);
  }

  /** Number of broken promises so far. */
  get failed(): number {
    return this.#held.filter((held) => !held).length;
  }

  /** Prints the closing line and sets the exit code. */
  close(): void {
    const { failed } = this;
    console.log(`${this.#held.length - failed} passed, ${failed} failed`);
    process.exitCode = failed > 0 || this.#held.length === 0 ? 1 : 0;
  }
}
