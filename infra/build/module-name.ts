const NAME = /^(?:.*[\\/])?(?:mfe[-_])?([a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)$/;

/**
 * Under which name a module is published and loaded: `tasks`, `mfe-tasks`, `mfe_tasks`, its folder and its package `@cord/mfe-tasks` are all `mfe_tasks`.
 * @returns null where that is no module's name
 */
export function moduleName(text: string): string | null {
  const [, short] = NAME.exec(text) ?? [];
  return short ? `mfe_${short.replaceAll('-', '_')}` : null;
}
