import type { ModuleStore } from './folder-store.mjs';
import type { Line } from './registry.mjs';

export function bySystem(
  store: ModuleStore,
  name: string,
  line: Pick<Line, 'seq' | 'from'>,
  verdict: { act: 'take-back' | 'end-canary'; why: string },
): Promise<Line | null>;
