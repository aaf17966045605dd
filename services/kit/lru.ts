/** A map that forgets what was used longest ago once it holds `sizeMax` entries. */
export interface Lru<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  readonly size: number;
}

/** @param onForgotten told of each value that made room */
export function createLru<K, V>(sizeMax: number, onForgotten?: (value: V) => void): Lru<K, V> {
  const entries = new Map<K, V>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.size > sizeMax ? entries.entries().next() : undefined;
      if (!oldest || oldest.done) return;
      entries.delete(oldest.value[0]);
      onForgotten?.(oldest.value[1]);
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
