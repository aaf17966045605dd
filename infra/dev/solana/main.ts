import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HTTP_KEEP_ALIVE_MS } from '@cord/kit/bounds';
import { clockOffsetMs } from '@cord/kit/clock-file';
import { createLogger } from '@cord/kit/log';
import { createApp } from './app.js';
import { Chain } from './chain.js';
import { readConfig } from './config.js';

/** 1 SOL: the fees of 200,000 memos. */
const FUNDED_LAMPORTS = 1_000_000_000;

const config = readConfig(process.env);
const log = createLogger('solana', config.LOG_LEVEL);
// The clock file is written before any service gets the new time, so the chain is never behind.
const now = () => Date.now() + clockOffsetMs(config.CORD_DATA);
const chain = Chain.open(join(config.CORD_DATA, 'solana', 'journal.jsonl'), now);
if (config.SOLANA_FUNDED && chain.balance(config.SOLANA_FUNDED) === 0)
  chain.airdrop(config.SOLANA_FUNDED, FUNDED_LAMPORTS);
const app = createApp(chain, config.SOLANA_TREASURY);
app.on('error', (error: Error & { expose?: boolean }) => {
  if (!error.expose) log.error({ err: error }, 'a request failed');
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.keepAliveTimeout = HTTP_KEEP_ALIVE_MS;
server.listen({ port: config.PORT, host: config.HOST }, () => {
  log.info({ port: (server.address() as AddressInfo).port }, 'the Solana runtime is listening');
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => {
      chain.close();
      process.exit(0);
    });
    server.closeAllConnections();
  });
}
