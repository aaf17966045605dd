import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startEmbeddedMongo } from './index.js';

/**
 * Runs the server alone: `--port N` (0 takes a free one), `--data DIR`, and with `--user NAME --password-file FILE` for that
 * user only. Started by a program that holds a channel to it, it ends with that program, however that ends.
 */
async function main(): Promise<void> {
  const { port, data, user, passwordFile } = readArguments();
  const password = passwordFile === undefined ? undefined : passwordIn(passwordFile);
  const server = await startEmbeddedMongo({
    port,
    dataDir: data,
    ...(user === undefined || password === undefined ? {} : { user: { name: user, password } }),
    warn: (message) => process.stderr.write(`${message}\n`),
  });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  process.stdout.write(`embedded-mongo listening on ${server.uri}\n`);
}

function readArguments(): { port: number; data: string; user?: string; passwordFile?: string } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '27017' },
      data: { type: 'string' },
      user: { type: 'string' },
      'password-file': { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be 0 to 65535, not '${values.port}'`);
  if (values.data === undefined || values.data === '')
    throw new Error('--data DIR is missing: the folder that holds the data');
  const { user, 'password-file': passwordFile } = values;
  if ((user === undefined) !== (passwordFile === undefined) || user === '')
    throw new Error('--user NAME and --password-file FILE belong together');
  return {
    port,
    data: values.data,
    ...(user === undefined ? {} : { user }),
    ...(passwordFile === undefined ? {} : { passwordFile }),
  };
}

/** A file, since arguments can be read by everybody on the machine. */
function passwordIn(file: string): string {
  const password = readFileSync(file, 'utf8').trim();
  if (password === '') throw new Error(`the password file ${file} is empty`);
  return password;
}

main().catch((error: Error) => {
  process.stderr.write(`embedded-mongo: ${error.message}\n`);
  process.exit(1);
});
