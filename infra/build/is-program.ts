import { existsSync, realpathSync } from 'node:fs';

/**
 * Whether Node was started with this file. Node resolves the file's real path, but a command line may name a link to
 * it.
 * @param file its `import.meta.filename`
 */
export function isProgram(file: string): boolean {
  const [, started = ''] = process.argv;
  return existsSync(started) && realpathSync(started) === file;
}
