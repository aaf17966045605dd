import type { Chance } from '@cord/kit/testing/simulation/random';

/** A write whose response was lost: the store's majority may lack it. */
interface Unsure {
  /** Rolls the write back, as a failover does. */
  readonly undo: () => void;
  readonly atMs: number;
}

/** Maximum length of a failover, ms; after it the majority has the write, or it is rolled back. */
const UNSURE_MS_MAX = 60_000;

/**
 * Writes known to one server of the store only. Each is decided at random, before the next write at the same place or
 * after UNSURE_MS_MAX: it reaches the majority, or a failover rolls it back. Majority reads do not see it before that.
 */
export class Unsettled<Place> {
  private readonly unsure = new Map<Place, Unsure>();

  constructor(
    private readonly chance: Chance,
    private readonly now: () => number,
  ) {}

  /** Adds a write whose response was lost; half of them reach the majority at once. */
  add(place: Place, undo: () => void): void {
    if (this.chance.oneIn(2)) this.unsure.set(place, { undo, atMs: this.now() });
  }

  has(place: Place): boolean {
    const write = this.unsure.get(place);
    if (write && this.now() - write.atMs > UNSURE_MS_MAX) this.settle(place);
    return this.unsure.has(place);
  }

  /** Decides the last write of a place. */
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
