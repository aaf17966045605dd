import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';

/** A value that changes, with listeners. `listen` calls back with each change, with the value now and the one before, not at once. */
export interface Store<T> {
  get(): T;
  listen(listener: (now: T, before: T) => void): () => void;
}

export interface WritableStore<T> extends Store<T> {
  set(value: T): void;
}

/** A store of nanostores, the one store library of shell and modules: texts and languages are such, too. */
export const createStore: <T>(initial: T) => WritableStore<T> = atom;

/** The store's value, kept current. */
export function useStore<T>(store: Pick<Store<T>, 'get'> & { listen(onChange: () => void): () => void }): T {
  return useSyncExternalStore(store.listen, store.get, store.get);
}
