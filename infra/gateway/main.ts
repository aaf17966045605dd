import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, isLoopback } from '@cord/kit/config';
import { createLogger } from '@cord/kit/log';
import { createGateway } from './app.js';
import { type GatewayConfig, readConfig } from './config.js';
import { gatewayMetrics } from './metrics.js';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
/** A call under way may end; then the process does. */
const END_MS = 1_000;

async function main(config: GatewayConfig): Promise<void> {
  const log = createLogger('gateway', config.logLevel);
  if (!config.local && !isLoopback(config.host) && !config.trustsProxies) {
    log.warn('TRUSTED_PROXIES is empty: behind an ingress all people count as one client, and share its limits');
  }
  const gateway = await createGateway(config, log);
  let stopping = false;
  const metrics = gatewayMetrics(gateway, () => stopping);
  gateway.app.middleware.unshift(metrics.measure);

  const front = createServer(gateway.app.callback() as RequestListener);
  Object.assign(front, {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  gateway.attach(front);
  const inside = createServer(metrics.answer);
  await listen(front, config.port, config.host);
  await listen(inside, config.metricsPort, config.metricsHost);
  log.info({ port: portOf(front), metricsPort: portOf(inside), local: config.local }, 'the gateway listens');

  /** Unready first, so that whoever probes it sends nobody more; on SIGINT everything around stops too, and nobody asks. */
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    if (signal === 'SIGTERM') await sleep(config.drainMs);
    gateway.close();
    inside.close();
    front.close(() => process.exit(0));
    front.closeIdleConnections();
    setTimeout(() => process.exit(0), END_MS);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

try {
  await main(readConfig(process.env));
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`the gateway cannot start: ${reason}\n`);
  process.exit(1);
}
