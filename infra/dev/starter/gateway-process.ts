import { join } from 'node:path';
import { opsUrlOf } from '../../../services/kit/ops-port.ts';
import type { HotReload } from './hot-reload.ts';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.ts';
import { envOf } from './services.ts';
import type { Settings } from './settings.ts';
import type { LaunchSpec } from './supervised.ts';

/** Returns the specification of the gateway: one process for each metrics port; all share the public port. */
export function gatewayProcess({
  settings,
  port,
  metricsPorts,
  secrets,
  publicOrigin,
  upstreamsFile,
  natsUrl,
  hotReload,
}: {
  settings: Settings;
  port: number;
  metricsPorts: number[];
  secrets: Record<string, string>;
  publicOrigin: string;
  upstreamsFile: string;
  natsUrl: string;
  hotReload?: HotReload | undefined;
}): LaunchSpec {
  const reach = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host;
  const inside = metricsPorts.map(insideOf);
  return {
    service: 'gateway',
    command: process.execPath,
    args: ['--enable-source-maps', join(ROOT, 'infra/gateway/dist/main.js')],
    env: {
      ...envOf(settings.env, 'gateway'),
      GATEWAY_KEY: secrets.GATEWAY_KEY ?? '',
      CORD_DATA: settings.dataDir,
      HOST: settings.host,
      PORT: String(port),
      METRICS_PORT: metricsPorts.join(),
      PUBLIC_ORIGIN: publicOrigin,
      UPSTREAMS_FILE: upstreamsFile,
      SHELL_DIR: join(ROOT, 'shell/dist'),
      MODULE_STORE: settings.moduleStore,
      NATS_URL: natsUrl,
      ...(hotReload ? { HOT_RELOAD: JSON.stringify({ shell: hotReload.shell, remote: hotReload.remote }) } : {}),
    },
    url: `http://${reach}:${port}`,
    metricsUrl: `${inside[0]}/metrics`,
    ...(inside.length > 1 ? { metricsUrls: inside.map((url) => `${url}/metrics`) } : {}),
    isReady: async () => (await Promise.all(inside.map((url) => answersOk(`${url}/readyz`)()))).every(Boolean),
  };
}

/** Address of one gateway's own port. */
export const insideOf = (metricsPort: number): string => `http://127.0.0.1:${metricsPort}`;

/** Returns the specification of the /dev console, which runs in local mode only. */
export function consoleProcess({
  settings,
  port,
  publicOrigin,
  secrets,
  solanaUrl,
}: {
  settings: Settings;
  port: number;
  publicOrigin: string;
  secrets: Record<string, string>;
  solanaUrl: string | undefined;
}): LaunchSpec {
  const url = `http://127.0.0.1:${port}`;
  return {
    service: 'dev',
    command: process.execPath,
    args: ['--enable-source-maps', join(ROOT, 'infra/dev/dist/console/main.js')],
    env: {
      ...envOf(settings.env),
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_ORIGIN: publicOrigin,
      CORD_DATA: settings.dataDir,
      DISCORD_CLIENT_SECRET: secrets.DISCORD_CLIENT_SECRET ?? '',
      ...(solanaUrl ? { SOLANA_RUNTIME_URL: solanaUrl } : {}),
    },
    url,
    metricsUrl: null,
    isReady: answersOk(`${opsUrlOf(url)}/readyz`),
  };
}
