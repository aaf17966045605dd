/** A map that forgets what was used longest ago once it holds too much. */
export interface Lru<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  readonly size: number;
}

/** Entries it may hold and, where they are of different sizes, what they may weigh together. */
export interface LruBounds<V> {
  sizeMax: number;
  weightMax?: number;
  weightOf?: (value: V) => number;
}

/** @param onForgotten told of each value that made room */
export function createLru<K, V>(bounds: number | LruBounds<V>, onForgotten?: (value: V) => void): Lru<K, V> {
  const { sizeMax, weightMax = Number.POSITIVE_INFINITY, weightOf = () => 0 } = asBounds(bounds);
  const entries = new Map<K, V>();
  let weight = 0;
  const remove = (key: K): void => {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    weight -= weightOf(value);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      entries.set(key, value);
      weight += weightOf(value);
      while (entries.size > sizeMax || weight > weightMax) {
        const oldest = entries.entries().next();
        if (oldest.done) return;
        remove(oldest.value[0]);
        onForgotten?.(oldest.value[1]);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      weight = 0;
    },
    get size() {
      return entries.size;
    },
  };
}

function asBounds<V>(bounds: number | LruBounds<V>): LruBounds<V> {
  return typeof bounds === 'number' ? { sizeMax: bounds } : bounds;
}

/** What is kept under a key, made once for all who ask meanwhile. What has failed is not kept: who asks next has it made anew. */
export function keeping<K, V>(kept: Lru<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = kept.get(key);
  if (known) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => {
    if (kept.get(key) === made) kept.delete(key);
  });
  return made;
}
