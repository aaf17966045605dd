/** Where the loading of a module failed. */
export type LoadFailure =
  /** /remotes.json did not come, or is not a registry. */
  | 'registry'
  /** The registry does not name the module. */
  | 'unknown'
  /** An operator has switched the module off. */
  | 'off'
  /** The module wants another sdk than this shell has. */
  | 'incompatible'
  /** mf-manifest.json did not come or is no manifest. */
  | 'manifest'
  /** The entry script or a chunk did not come, or threw. */
  | 'script'
  /** The module came, without what was requested. */
  | 'exports'
  /** It took too long. */
  | 'timeout'
  /** The page threw while rendering. */
  | 'render';

/** Every failure to show a module; the panel of its area informs the user, the console the engineer. */
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

/** The typed error behind anything thrown while loading; a federation runtime error is laid at the module's door. */
export function asLoadError(module: string, error: unknown): ModuleLoadError {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof ModuleLoadError) return at;
  const detail = error instanceof Error ? error.message : String(error);
  return new ModuleLoadError(module, 'script', detail, error);
}
