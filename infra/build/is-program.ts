import { existsSync, realpathSync } from 'node:fs';

/**
 * Whether a file is the program that Node was started with, and not imported. Node knows a file by where it lies, a command line may name it
 * through a link.
 * @param file its `import.meta.filename`
 */
export function isProgram(file: string): boolean {
  const [, started = ''] = process.argv;
  return existsSync(started) && realpathSync(started) === file;
}
