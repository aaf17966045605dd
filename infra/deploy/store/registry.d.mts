import type { ModuleStore } from './folder-store.mjs';

export interface Entry {
  version: string;
  entry: string;
  sdk: string;
  ui?: string;
  /** What it brings to the shell (infra/build/module-facts.mjs), which looks at it more closely. */
  tab?: object;
  parts: readonly object[];
}

export interface Registry {
  version: string;
  modules: Record<string, Entry>;
  problems: string[];
}

export function registryReader(store: ModuleStore): () => Promise<Registry>;
