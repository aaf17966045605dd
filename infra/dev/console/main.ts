import { createServer } from 'node:http';
import { HTTP_KEEP_ALIVE_MS } from '@cord/kit/bounds';
import { listenBoth } from '@cord/kit/http/listen';
import { plainTargetsOnly } from '@cord/kit/http/request-target';
import { createLogger } from '@cord/kit/log';
import { createConsole } from './app.js';
import { readConfig } from './config.js';

const config = readConfig(process.env);
const log = createLogger('dev', config.LOG_LEVEL);
const app = await createConsole(config);
app.on('error', (error: Error & { expose?: boolean }) => {
  if (!error.expose) log.error({ err: error }, 'a request under /dev failed');
});
const server = createServer({ keepAliveTimeout: HTTP_KEEP_ALIVE_MS }, plainTargetsOnly(app.callback()));
const operations = createServer((request, response) => {
  response.writeHead(request.url === '/readyz' ? 200 : 404).end();
});
const url = await listenBoth(server, operations, config.PORT, config.HOST);
log.info({ url }, 'the /dev console is listening');
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
