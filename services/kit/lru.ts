import { LRUCache } from 'lru-cache';

/**
 * A map of at most so many entries, the least recently used out first. The bound is given as a sum of sizes: for a `max` the library
 * allocates every place at once, which costs a start milliseconds and memory that a small process never uses.
 */
export const lru = <K extends {}, V extends {}>(entriesMax: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 });
