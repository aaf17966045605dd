import { parseArgs } from 'node:util';
import { startEmbeddedMongo } from './index.js';

/** Runs the server alone: `--port N` (0 takes a free one), `--data DIR`. */
async function main(): Promise<void> {
  const { port, data } = readArguments();
  const server = await startEmbeddedMongo({
    port,
    dataDir: data,
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
  process.stdout.write(`embedded-mongo listening on ${server.uri}\n`);
}

function readArguments(): { port: number; data: string } {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '27017' }, data: { type: 'string' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be 0 to 65535, not '${values.port}'`);
  if (values.data === undefined || values.data === '')
    throw new Error('--data DIR is missing: the folder that holds the data');
  return { port, data: values.data };
}

main().catch((error: Error) => {
  process.stderr.write(`embedded-mongo: ${error.message}\n`);
  process.exit(1);
});
