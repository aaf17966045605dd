const NAME = /^(?:.*[\\/])?(?:mfe[-_])?([a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)$/;

/**
 * Returns a module's published name: `tasks`, `mfe-tasks`, `mfe_tasks` and `@cord/mfe-tasks` are all `mfe_tasks`.
 * @returns null for any other text
 */
export function moduleName(text: string): string | null {
  const [, short] = NAME.exec(text) ?? [];
  return short ? `mfe_${short.replaceAll('-', '_')}` : null;
}
