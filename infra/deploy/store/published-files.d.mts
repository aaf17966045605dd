import type { ModuleStore } from './folder-store.mjs';

export type Verdict = 'true' | 'changed' | 'missing' | 'unknown';

export function publishedFiles(store: ModuleStore): (name: string, version: string, file: string) => Promise<Verdict>;
