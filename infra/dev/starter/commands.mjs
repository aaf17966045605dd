import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from './problems.mjs';

/**
 * The words of a command and the data folder that it is about (--data, else CORD_DATA, else .data).
 * @param {string[]} args @param {string} usage
 * @param {import('node:util').ParseArgsOptionsConfig} [more] further flags, which come as `values`
 * @throws {StartError} naming an unknown flag
 */
export function readCommand(args, usage, more = {}) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { data: { type: 'string' }, ...more },
      allowPositionals: true,
    });
    return { words: positionals, values, dataDir: resolve(values.data ?? process.env.CORD_DATA ?? '.data') };
  } catch (error) {
    throw new StartError(`${error.message}\n\n${usage}`);
  }
}

/** Runs a command; a refusal is one message and exit code 1, any other error is shown whole. */
export async function runCommand(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}
