import type { Chance } from '../../../services/mining/test/simulation/random.js';

/** A write that was made and answered to nobody: the majority of the store may not have it. */
interface Unsure {
  /** Takes the write back, as a failover does. */
  readonly undo: () => void;
}

/**
 * Writes of which only one server of the store knows. Each is decided, by chance, before the next write of the same place: the majority gets it, or a failover takes
 * it back. Until then who reads by the majority does not see it.
 */
export class Unsettled<Place> {
  private readonly unsure = new Map<Place, Unsure>();

  constructor(private readonly chance: Chance) {}

  /** A write whose answer was lost: half of them reach the majority at once. */
  add(place: Place, write: Unsure): void {
    if (this.chance.oneIn(2)) this.unsure.set(place, write);
  }

  has(place: Place): boolean {
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
