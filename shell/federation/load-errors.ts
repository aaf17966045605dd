/** Stage at which loading a module failed. */
export type LoadFailure =
  /** /remotes.json did not load, or is not a registry. */
  | 'registry'
  /** The registry has no such module. */
  | 'unknown'
  /** An operator has switched the module off. */
  | 'off'
  /** The module needs another sdk version than this shell has. */
  | 'incompatible'
  /** mf-manifest.json did not load or is invalid. */
  | 'manifest'
  /** The entry script or a chunk did not load, or threw. */
  | 'script'
  /** The module loaded, but lacks the requested export. */
  | 'exports'
  /** Loading took too long. */
  | 'timeout'
  /** The page threw while rendering. */
  | 'render';

/** Any failure to show a module; the panel of its area informs users, the console engineers. */
export class ModuleLoadError extends Error {
  override readonly name = 'ModuleLoadError';

  constructor(
    readonly module: string,
    readonly failure: LoadFailure,
    detail: string,
    cause?: unknown,
  ) {
    super(`${module}: ${detail}`, { cause });
  }
}

/** Returns the typed error behind a thrown value; an error of the federation runtime counts as the module's. */
export function asLoadError(module: string, error: unknown): ModuleLoadError {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof ModuleLoadError) return at;
  const detail = error instanceof Error ? error.message : String(error);
  return new ModuleLoadError(module, 'script', detail, error);
}
