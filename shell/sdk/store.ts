import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';

/** A value with listeners. `listen` calls back on each change with the new and the previous value, not at once. */
export interface Store<T> {
  get(): T;
  listen(listener: (now: T, before: T) => void): () => void;
}

export interface WritableStore<T> extends Store<T> {
  set(value: T): void;
}

/** Creates a nanostores atom, the only store library of shell and modules; texts and languages use it, too. */
export const createStore: <T>(initial: T) => WritableStore<T> = atom;

/** Returns the store's value and follows its changes. */
export function useStore<T>(store: Pick<Store<T>, 'get'> & { listen(onChange: () => void): () => void }): T {
  return useSyncExternalStore(store.listen, store.get, store.get);
}
