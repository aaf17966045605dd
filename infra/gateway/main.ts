import cluster from 'node:cluster';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, isLoopback, warnOfUnknownVariables } from '@cord/kit/config';
import { createLogger } from '@cord/kit/log';
import { BUILD } from '@cord/kit/metrics/build';
import { exitOnFaults } from '@cord/kit/shutdown';
import { exitWhenStuck } from '@cord/kit/stuck';
import { type GatewayConfig, readConfig } from './config.js';
import { endStalled, FRONT } from './front.js';
import { superviseGateways } from './workers.js';

/** Time for running calls to end before the process exits, ms; shorter on SIGINT, when everything around stops as well. */
const END_MS = { SIGTERM: 5_000, SIGINT: 1_000 };

async function main(config: GatewayConfig): Promise<void> {
  const log = createLogger('gateway', config.logLevel);
  exitOnFaults(log);
  if (!config.local) exitWhenStuck('gateway');
  if (cluster.isPrimary && config.metricsPorts.length > 1)
    return superviseGateways(config.metricsPorts, log, config.drainMs + 2 * END_MS.SIGTERM);
  // The leading process serves nothing, and starts faster without these imports.
  const [{ startTracing, stopTracing }, { createGateway }, { gatewayMetrics }] = await Promise.all([
    import('@cord/kit/tracing'),
    import('./app.js'),
    import('./metrics.js'),
  ]);
  warnOfUnknownVariables(log);
  if (!config.local && !isLoopback(config.host) && !config.trustsProxies) {
    log.warn('TRUSTED_PROXIES is empty: behind an ingress all users count as one client and share its limits');
  }
  await startTracing('gateway', BUILD.version);
  const gateway = await createGateway(config, log);
  let stopping = false;
  const metrics = gatewayMetrics(gateway, () => stopping);
  const listener = gateway.listener(metrics.measure, async (ctx, next) => {
    // The next request on this connection would find no server.
    if (stopping) ctx.set('connection', 'close');
    await next();
  });

  const front = createServer(FRONT, listener);
  // Moving the clock of local mode takes minutes.
  if (!config.local) endStalled(front);
  gateway.attach(front);
  const inside = createServer(metrics.answer);
  await listen(front, config.port, config.host);
  // This process has its own port, even when others share the front port.
  await listen(inside, config.metricsPorts[0] ?? 0, config.metricsHost, true);
  log.info({ port: portOf(front), metricsPort: portOf(inside), local: config.local }, 'the gateway is listening');

  /** Becomes not ready first, so that probers send no more calls. On SIGINT everything around stops as well, and nobody probes. */
  const stop = async (signal: 'SIGTERM' | 'SIGINT') => {
    if (stopping) return;
    stopping = true;
    if (signal === 'SIGTERM') await sleep(config.drainMs);
    gateway.close();
    inside.close();
    front.close(() => void stopTracing('gateway').then(() => process.exit(0)));
    front.closeIdleConnections();
    setTimeout(() => process.exit(0), END_MS[signal]);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}

function listen(server: Server, port: number, host: string, exclusive = false): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive }, resolve);
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
