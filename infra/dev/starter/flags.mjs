// @ts-check
import { parseArgs } from 'node:util';
import { StartError } from './problems.mjs';

export const usage = `npm start [-- --port N] [--data DIR] [--replicas N]
  --port N       the port of the one origin (PORT; default 8080; 0 takes a free one)
  --data DIR     the data folder (CORD_DATA; default .data)
  --replicas N   how many processes of each service and of the gateway (default 1)
npm run dev [-- MODULE]   hot reload of services, shell and that module; the rest is served as built
npm run dev -- MODULE --shell URL [--port N]   serves that module (or the one in a folder) to the shell at URL; the page reloads after a change`;

const options = /** @type {const} */ ({
  port: { type: 'string' },
  data: { type: 'string' },
  replicas: { type: 'string' },
  dev: { type: 'boolean' },
  shell: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
});

/** @typedef {{port?: string | undefined, data?: string | undefined, replicas?: string | undefined, dev: boolean, help: boolean, module?: string | undefined, shell?: string | undefined}} Flags */

/**
 * Parses the command line. readSettings checks the values, since it also reads the environment.
 * @param {string[]} args
 * @returns {Flags}
 * @throws {StartError} naming an unknown flag, a flag without a value or a stray argument
 */
export function readFlags(args) {
  const { values, positionals } = parse(args);
  const stray = values.dev ? positionals[1] : positionals[0];
  if (stray !== undefined) throw new StartError(`unknown argument "${stray}".\n\n${usage}`);
  if (values.shell !== undefined && !values.dev) throw new StartError(`--shell is for npm run dev.\n\n${usage}`);
  return { ...values, dev: values.dev ?? false, help: values.help ?? false, module: positionals[0] };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const error = /** @type {NodeJS.ErrnoException} */ (thrown);
    const flag = /'(-[^ ']*)/.exec(error.message)?.[1] ?? args.join(' ');
    const what = error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? 'unknown flag' : 'invalid flag';
    throw new StartError(`${what} ${flag}.\n\n${usage}`);
  }
}
