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
