import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startEmbeddedMongo, type UserOptions } from './index.js';

/**
 * Runs the server alone: `--port N` (0 selects a free one), `--data DIR`, and for access by users only a `--user` and a `--password-file` for
 * each, in the same order. `--user NAME` has all rights, `--user NAME@DATABASE` reads and writes that database.
 * If its parent process has an IPC channel to it, it ends when the parent ends.
 */
async function main(): Promise<void> {
  // Logging fails on a full disk, too: an error event without a listener would end the server.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const { port, data, users } = readArguments();
  const server = await startEmbeddedMongo({
    port,
    dataDir: data,
    ...(users.length === 0 ? {} : { users }),
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

function readArguments(): { port: number; data: string; users: UserOptions[] } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '27017' },
      data: { type: 'string' },
      user: { type: 'string', multiple: true, default: [] },
      'password-file': { type: 'string', multiple: true, default: [] },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be 0 to 65535, not '${values.port}'`);
  if (values.data === undefined || values.data === '') throw new Error('--data DIR is missing: the data folder');
  const { user: names, 'password-file': files } = values;
  if (names.length !== files.length || names.includes(''))
    throw new Error('--user NAME and --password-file FILE must be given together');
  return { port, data: values.data, users: names.map((text, at) => userOf(text, files[at] as string)) };
}

function userOf(text: string, passwordFile: string): UserOptions {
  const [name = '', database] = text.split('@');
  const password = passwordIn(passwordFile);
  return database === undefined ? { name, password } : { name, password, database };
}

/** Reads a password from a file, because every user of the machine can read arguments. */
function passwordIn(file: string): string {
  const password = readFileSync(file, 'utf8').trim();
  if (password === '') throw new Error(`the password file ${file} is empty`);
  return password;
}

main().catch((error: Error) => {
  process.stderr.write(`embedded-mongo: ${error.message}\n`);
  process.exit(1);
});
