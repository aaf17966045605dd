import type { ModuleStore } from './folder-store.mjs';

export interface Release {
  version: string;
  entry: string;
  /** Of the manifest and the entry script, by their names, as browsers take it. */
  integrity?: Record<string, string>;
  sdk: string;
  ui?: string;
  /** What it brings to the shell (infra/build/module-facts.mjs), which looks at it more closely. */
  tab?: object;
  parts: readonly object[];
}

export interface Entry extends Release {
  canary?: Release & { share: number };
  /** An operator has switched it off: said by the gateway, and in no journal. */
  off?: true;
}

/** Of a journal's newest line what a watch of it needs. */
export interface Line {
  seq: number;
  action: string;
  version: string;
  when: string;
  from: string | null;
  canary?: { version: string; share: number } | null;
}

export interface Registry {
  version: string;
  modules: Record<string, Entry>;
  lines: Record<string, Line>;
  /** Where one was published. */
  shell?: Line & { sdk: string; ui: string };
  problems: string[];
}

export function registryReader(store: ModuleStore): () => Promise<Registry>;
