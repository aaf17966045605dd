import { join } from 'node:path';
import { ROOT } from '../../dev/starter/paths.mjs';
import { freePorts } from '../../dev/starter/ports.ts';
import { answersOk } from '../../dev/starter/probes.ts';
import type { Started } from '../../dev/starter/process-group.ts';
import type { Processes } from '../../test/kit/processes.ts';

/** Starts a gateway for these service addresses, without a shell and modules. */
export async function startGateway(
  own: Processes,
  upstreams: Record<string, string[]>,
  natsUrl: string,
): Promise<Started & { url: string }> {
  const [port, metricsPort] = await freePorts(2);
  const url = `http://localhost:${port}`;
  const { TEST_GATEWAY_KEY } = await import('@cord/kit/testing/signer');
  const started = await own.start({
    command: process.execPath,
    args: [join(ROOT, 'infra/gateway/dist/main.js')],
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_ORIGIN: url,
      UPSTREAMS: JSON.stringify(upstreams),
      SHELL_DIR: own.folder,
      MODULE_STORE: own.folder,
      NATS_URL: natsUrl,
      GATEWAY_KEY: TEST_GATEWAY_KEY,
      CORD_DATA: own.folder,
      LOG_LEVEL: 'warn',
    },
    isReady: answersOk(`http://127.0.0.1:${metricsPort}/readyz`),
  });
  return { ...started, url };
}
