/** Fault modes of the chain (infra/README.md#local-mode). */
export const FAULT_MODES = ['drop', 'hold', 'fail', 'rpc-down'] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

/** Active faults, each for a number of times or until cleared. */
export class Faults {
  readonly #left = new Map<FaultMode, number>();

  set(mode: FaultMode, times: number = Number.POSITIVE_INFINITY): void {
    this.#left.set(mode, times);
  }

  clear(): void {
    this.#left.clear();
  }

  /** Whether the fault applies now; counts as one time. */
  take(mode: FaultMode): boolean {
    const left = this.#left.get(mode) ?? 0;
    if (left <= 0) return false;
    if (left === 1) this.#left.delete(mode);
    else this.#left.set(mode, left - 1);
    return true;
  }
}
