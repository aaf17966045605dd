import { useStore } from '@cord/sdk';
import { createContext, useContext } from 'react';
import type { Published } from './entries';
import type { Registry, RegistryState } from './registry';
import { theRegistry } from './the-registry';

/** The registry of a component tree; tests and stories provide their own. */
export const RegistryContext = createContext<Registry>(theRegistry);

export function useRegistry(): Registry {
  return useContext(RegistryContext);
}

/** Returns the registry state and follows its changes. */
export function useRegistryState(): RegistryState {
  return useStore(useRegistry().state);
}

const NOTHING: Published = { version: '', shell: null, modules: {}, tabs: [], parts: [] };

/** Returns the published modules; empty while unknown. */
export function usePublished(): Published {
  const state = useRegistryState();
  return state.status === 'known' ? state.published : NOTHING;
}
