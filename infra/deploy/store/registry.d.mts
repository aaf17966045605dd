import type { ModuleStore } from './folder-store.mjs';

export interface Entry {
  version: string;
  entry: string;
  sdk: string;
  ui?: string;
}

export interface Registry {
  version: string;
  modules: Record<string, Entry>;
  problems: string[];
}

export function registryReader(store: ModuleStore): () => Promise<Registry>;
