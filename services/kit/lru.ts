/** A map that forgets what was used longest ago once it holds `sizeMax` entries. */
export interface Lru<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  readonly size: number;
}

export function createLru<K, V>(sizeMax: number): Lru<K, V> {
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
      const oldest = entries.size > sizeMax ? entries.keys().next() : undefined;
      if (oldest && !oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
