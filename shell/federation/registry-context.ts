import { useStore } from '@cord/sdk';
import { createContext, useContext } from 'react';
import type { Published } from './entries';
import type { Registry, RegistryState } from './registry';
import { theRegistry } from './the-registry';

/** The registry around a component; tests and stories have their own. */
export const RegistryContext = createContext<Registry>(theRegistry);

export function useRegistry(): Registry {
  return useContext(RegistryContext);
}

/** What is published, kept current. */
export function useRegistryState(): RegistryState {
  return useStore(useRegistry().state);
}

const NOTHING: Published = { version: '', shell: null, modules: {}, tabs: [], parts: [] };

/** The same, as far as it is known. */
export function usePublished(): Published {
  const state = useRegistryState();
  return state.status === 'known' ? state.published : NOTHING;
}
