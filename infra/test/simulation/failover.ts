import type { Chance } from '@cord/kit/testing/simulation/random';

/** A write that was made and answered to nobody: the majority of the store may not have it. */
interface Unsure {
  /** Takes the write back, as a failover does. */
  readonly undo: () => void;
  readonly atMs: number;
}

/** A failover is over by then: the majority has the write, or nobody has it, ms. */
const UNSURE_MS_MAX = 60_000;

/**
 * Writes of which only one server of the store knows. Each is decided, by chance, before the next write of the same place, and after UNSURE_MS_MAX: the majority gets
 * it, or a failover takes it back. Until then who reads by the majority does not see it.
 */
export class Unsettled<Place> {
  private readonly unsure = new Map<Place, Unsure>();

  constructor(
    private readonly chance: Chance,
    private readonly now: () => number,
  ) {}

  /** A write whose answer was lost: half of them reach the majority at once. */
  add(place: Place, undo: () => void): void {
    if (this.chance.oneIn(2)) this.unsure.set(place, { undo, atMs: this.now() });
  }

  has(place: Place): boolean {
    const write = this.unsure.get(place);
    if (write && this.now() - write.atMs > UNSURE_MS_MAX) this.settle(place);
    return this.unsure.has(place);
  }

  /** Decides about the last write of a place. */
  settle(place: Place): void {
    const write = this.unsure.get(place);
    if (!write) return;
    this.unsure.delete(place);
    if (this.chance.oneIn(2)) write.undo();
  }

  settleAll(): void {
    for (const place of [...this.unsure.keys()]) this.settle(place);
  }
}
