import { readFileSync } from 'node:fs';
import { SERVICES } from '@cord/contracts/endpoint';
import { baseConfig, ConfigError, isLocalMode, loadConfig, schemas } from '@cord/kit/config';
import { type TrustedProxies, trustedProxies } from '@cord/kit/http/client-address';
import type { NatsSettings } from '@cord/kit/nats';
import { z } from 'zod';

const upstreams = z.partialRecord(z.enum([...SERVICES, 'dev']), z.array(z.url({ protocol: /^http$/ })).min(1));
/** Addresses of each service's replicas, or names with several addresses; in local mode also of the /dev console. */
export type UpstreamUrls = z.output<typeof upstreams>;
const hotReload = z.object({
  shell: z.url(),
  remote: z
    .object({
      name: z.string(),
      url: z.url(),
      prefix: z.string(),
      entry: z.string(),
      sdk: z.string(),
      /** Its tab in the shell, as in a journal line. */
      tab: z.object({}).loose().optional(),
      parts: z.array(z.object({}).loose()),
    })
    .nullable(),
});

/** Parses a JSON string with a schema. */
const jsonOf = <T extends z.ZodType>(shape: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(shape);

const schema = baseConfig
  .pick({
    NODE_ENV: true,
    HOST: true,
    DISCORD_CLIENT_ID: true,
    LOG_LEVEL: true,
    TRUSTED_PROXIES: true,
    NATS_CREDS: true,
    DRAIN_MS: true,
    CORD_DATA: true,
    RATE_LIMIT_SCALE: true,
    PUBLIC_ORIGIN: true,
  })
  .extend({
    /** NATS, with the gateway's own user. Without it no session can be checked, and releases are not sent live. */
    NATS_URL: schemas.NATS_URL.unwrap().optional(),
    PORT: schemas.PORT.default(8080),
    /** Master key from which a key per service is derived; these sign the caller headers. */
    GATEWAY_KEY: schemas.GATEWAY_KEY,
    /** Port of metrics and readiness, which are never served on the origin. Several ports start as many gateways that share PORT. */
    METRICS_PORT: schemas.METRICS_PORT,
    /** Address that probes and scrapers can reach. */
    METRICS_HOST: schemas.METRICS_HOST,
    /** Fixed addresses; alternatively UPSTREAMS_FILE is followed as it changes. */
    UPSTREAMS: jsonOf(upstreams).optional(),
    UPSTREAMS_FILE: schemas.UPSTREAMS_FILE,
    SHELL_DIR: schemas.SHELL_DIR,
    MODULE_STORE: schemas.MODULE_STORE.unwrap(),
    /** Host of the reflector of the remote mobile wallet protocol; pages may open a WebSocket to it. */
    SOLANA_REFLECTOR: schemas.SOLANA_REFLECTOR,
    /** Addresses of the hot-reload servers; `npm run dev` sets it. */
    HOT_RELOAD: jsonOf(hotReload).optional(),
  });

/** Names of the services and, in local mode, of the /dev console. */
export type UpstreamName = keyof z.output<typeof upstreams>;
export type HotReload = z.output<typeof hotReload>;

export interface GatewayConfig {
  host: string;
  port: number;
  /** One port per gateway that shares the origin's port. */
  metricsPorts: readonly number[];
  metricsHost: string;
  /** Time from not ready to closed, ms. */
  drainMs: number;
  publicOrigin: URL;
  upstreams: UpstreamUrls;
  /** The file with the upstreams, if they may change. */
  upstreamsFile: string | undefined;
  shellDir: string;
  moduleStore: string;
  walletReflector: string | undefined;
  /** NATS, on which auth publishes ended sessions and roles, and releases are announced. */
  nats: NatsSettings | undefined;
  gatewayKey: string;
  /** Factor of the budget of bad tokens; 0 disables it. */
  rateLimitScale: number;
  /** Folder of local mode's clock. */
  dataDir: string;
  trustedProxies: TrustedProxies;
  /** Whether any proxy is trusted. */
  trustsProxies: boolean;
  logLevel: string;
  /** NODE_ENV is not production and there is no DISCORD_CLIENT_ID (infra/README.md#local-mode). */
  local: boolean;
  hotReload: HotReload | undefined;
}

/** @throws Error describing what is invalid */
export function readUpstreams(file: string): UpstreamUrls {
  return jsonOf(upstreams).parse(readFileSync(file, 'utf8'));
}

function upstreamsOf({
  UPSTREAMS,
  UPSTREAMS_FILE,
}: {
  UPSTREAMS?: UpstreamUrls | undefined;
  UPSTREAMS_FILE?: string | undefined;
}) {
  if (UPSTREAMS && !UPSTREAMS_FILE) return UPSTREAMS;
  if (!UPSTREAMS_FILE || UPSTREAMS)
    throw new ConfigError([{ variable: 'UPSTREAMS', message: 'either this or UPSTREAMS_FILE is required, not both' }]);
  try {
    return readUpstreams(UPSTREAMS_FILE);
  } catch (error) {
    throw new ConfigError([{ variable: 'UPSTREAMS_FILE', message: (error as Error).message }]);
  }
}

/** @throws ConfigError naming the invalid variable */
export function readConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const given = loadConfig(schema, env);
  return {
    host: given.HOST,
    port: given.PORT,
    metricsPorts: given.METRICS_PORT,
    metricsHost: given.METRICS_HOST,
    drainMs: given.DRAIN_MS,
    publicOrigin: new URL(given.PUBLIC_ORIGIN),
    upstreams: upstreamsOf(given),
    upstreamsFile: given.UPSTREAMS_FILE,
    shellDir: given.SHELL_DIR,
    moduleStore: given.MODULE_STORE,
    walletReflector: given.SOLANA_REFLECTOR,
    nats: given.NATS_URL === undefined ? undefined : { NATS_URL: given.NATS_URL, NATS_CREDS: given.NATS_CREDS },
    gatewayKey: given.GATEWAY_KEY,
    rateLimitScale: given.RATE_LIMIT_SCALE,
    dataDir: given.CORD_DATA,
    trustedProxies: trustedProxies(given.TRUSTED_PROXIES),
    trustsProxies: given.TRUSTED_PROXIES.length > 0,
    logLevel: given.LOG_LEVEL,
    local: isLocalMode(given),
    hotReload: given.HOT_RELOAD,
  };
}
