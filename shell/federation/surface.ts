import { inCaretRange } from '@cord/build/caret-range.mjs';
import { RUNTIME_VERSION } from './sdk-version';
import { SHARED } from './shared';

/** What a module's manifest says that it takes of the shell (infra/build/module-surface.mjs); builds of before say nothing. */
export interface Surface {
  /** Names that it imports. */
  sdk?: string[];
  ui?: string[];
  /** Range of the federation runtime. */
  runtime?: string;
}

/** What this shell lacks of it, in words for an engineer; null where it has all. */
export function lackingOf(surface: Surface | undefined): string | null {
  for (const short of ['sdk', 'ui'] as const) {
    const lib = SHARED[`@cord/${short}`]?.lib as object;
    const missing = (surface?.[short] ?? []).filter((name) => !(name in lib));
    if (missing.length > 0) return `takes ${missing.join(', ')} of @cord/${short}, which this shell does not have`;
  }
  const runtime = surface?.runtime;
  if (runtime === undefined || inCaretRange(RUNTIME_VERSION, runtime)) return null;
  return `wants the federation runtime ${runtime}, here is ${RUNTIME_VERSION}`;
}
