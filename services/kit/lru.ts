import { LRUCache } from 'lru-cache';

/**
 * A map with a maximum number of entries that evicts the least recently used. The bound is a sum of sizes, because with `max` the
 * library preallocates every slot, which costs start time and memory that a small process never uses.
 */
export const lru = <K extends {}, V extends {}>(entriesMax: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 });
