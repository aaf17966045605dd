import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_KEEP_ALIVE_MS } from '@cord/kit/bounds';
import { createLogger } from '@cord/kit/log';
import { createConsole } from './app.js';
import { readConfig } from './config.js';

const config = readConfig(process.env);
const log = createLogger('dev', config.LOG_LEVEL);
const app = await createConsole(config);
app.on('error', (error: Error & { expose?: boolean }) => {
  if (!error.expose) log.error({ err: error }, 'a request under /dev failed');
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.keepAliveTimeout = HTTP_KEEP_ALIVE_MS;
server.listen({ port: config.PORT, host: config.HOST }, () => {
  log.info({ port: (server.address() as AddressInfo).port }, 'the console of /dev listens');
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
