import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.mjs';
import { commonEnv, pick } from './services.mjs';

/**
 * What to run for the gateway.
 * @param {{settings: any, port: number, metricsPort: number, publicOrigin: string, upstreamsFile: string, natsUrl: string, hotReload?: object}} given
 */
export function gatewayProcess({ settings, port, metricsPort, publicOrigin, upstreamsFile, natsUrl, hotReload }) {
  const reach = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host;
  return {
    service: 'gateway',
    command: process.execPath,
    args: ['--enable-source-maps', join(ROOT, 'infra/gateway/dist/main.js')],
    env: {
      ...commonEnv(settings.env),
      ...pick(settings.env, ['TRUSTED_PROXIES', 'DISCORD_CLIENT_ID', 'SOLANA_REFLECTOR', 'NATS_CREDS']),
      HOST: settings.host,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_ORIGIN: publicOrigin,
      UPSTREAMS_FILE: upstreamsFile,
      SHELL_DIR: join(ROOT, 'shell/dist'),
      MODULE_STORE: settings.moduleStore,
      NATS_URL: natsUrl,
      ...(hotReload ? { HOT_RELOAD: JSON.stringify({ shell: hotReload.shell, remote: hotReload.remote }) } : {}),
    },
    url: `http://${reach}:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    isReady: answersOk(`http://127.0.0.1:${metricsPort}/readyz`),
  };
}

/** What to run for the console of /dev: in local mode only. */
export function consoleProcess({ settings, port, publicOrigin, secrets, solanaUrl }) {
  const url = `http://127.0.0.1:${port}`;
  return {
    service: 'dev',
    command: process.execPath,
    args: ['--enable-source-maps', join(ROOT, 'infra/dev/dist/console/main.js')],
    env: {
      ...commonEnv(settings.env),
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_ORIGIN: publicOrigin,
      CORD_DATA: settings.dataDir,
      DISCORD_CLIENT_SECRET: secrets.DISCORD_CLIENT_SECRET,
      ...(solanaUrl ? { SOLANA_RUNTIME_URL: solanaUrl } : {}),
    },
    url,
    metricsUrl: null,
    isReady: answersOk(`${url}/readyz`),
  };
}
