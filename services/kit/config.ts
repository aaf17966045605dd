import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Problem, unknownVariables, withSecretFiles } from './environment.js';
import type { Log } from './log.js';
import { isLoopback, isUnencrypted } from './unencrypted.js';
import { PORT_MAX, secret, withNatsScheme } from './variable-formats.js';
import { schemas } from './variables.js';

export { isLoopback, schemas, secret };

/** Invalid environment; names the variable and the reason, never its value. */
export class ConfigError extends Error {
  readonly variables: readonly string[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ variable, message }) => `${variable}: ${message}`).join('; '));
    this.name = 'ConfigError';
    this.variables = problems.map(({ variable }) => variable);
  }
}

/** Variables that every service reads (infra/dev/ENVIRONMENT.md). Services extend it with their own. */
export const baseConfig = z.object({
  NODE_ENV: schemas.NODE_ENV,
  HOST: schemas.HOST,
  /** 0 takes a free port; operations use the next one. */
  PORT: schemas.PORT.refine((value) => value < PORT_MAX, `must be at most ${PORT_MAX - 1}`).default(0),
  MONGODB_URI: schemas.MONGODB_URI,
  /** May contain user:password@; several servers are separated by commas. */
  NATS_URL: schemas.NATS_URL,
  NATS_CREDS: schemas.NATS_CREDS,
  PUBLIC_ORIGIN: schemas.PUBLIC_ORIGIN,
  CORD_DATA: schemas.CORD_DATA,
  /** Unique among the running replicas of a service. */
  CORD_REPLICA: schemas.CORD_REPLICA,
  DISCORD_CLIENT_ID: schemas.DISCORD_CLIENT_ID,
  /** Key of the address hashes; without it this service stores no address. */
  ADDRESS_HASH_KEY: schemas.ADDRESS_HASH_KEY,
  DRAIN_MS: schemas.DRAIN_MS,
  LOG_LEVEL: schemas.LOG_LEVEL,
  TRUSTED_PROXIES: schemas.TRUSTED_PROXIES,
  RATE_LIMIT_SCALE: schemas.RATE_LIMIT_SCALE,
});
export type BaseConfig = z.output<typeof baseConfig>;

/** Further variables of every service. */
export const serviceConfig = {
  /** Key of the gateway's tokens for this service; during a renewal the new and the former, separated by a comma. */
  CALLER_KEY: schemas.CALLER_KEY,
};

/**
 * Local mode: not production and no real Discord application (infra/README.md#local-mode). Only then do /dev, the movable
 * clock and the stand-ins exist.
 */
export function isLocalMode(
  env: { NODE_ENV?: string | undefined; DISCORD_CLIENT_ID?: string | undefined } | NodeJS.ProcessEnv,
): boolean {
  return env.NODE_ENV !== 'production' && !env.DISCORD_CLIENT_ID;
}

/**
 * Parses the environment with a schema. An empty variable counts as absent; NAME_FILE or SECRETS_DIR may hold a secret.
 * @param needed variables that this process requires outside local mode
 * @returns the given values with secrets from files, the parsed data, and a problem for each variable that is invalid, missing, an
 * unknown CORD_* name, or not allowed in this mode
 */
export function readEnvironment<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
  needed: readonly string[] = [],
): { given: Record<string, string | undefined>; data: z.output<S> | undefined; problems: Problem[] } {
  const known = new Set(Object.keys(schema.shape));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { given, problems } = withSecretFiles(set, known);
  const unknown = unknownVariables(set)
    .filter((name) => name.startsWith('CORD_'))
    .map((variable) => ({ variable, message: 'is not a known setting' }));
  const { data, error } = schema.safeParse(given);
  const bad = (error?.issues ?? [])
    .map(({ path: [name = '?'], message }) => ({
      variable: String(name),
      message: given[String(name)] === undefined ? 'is required' : message,
    }))
    // Its file is already listed.
    .filter(({ variable }) => !problems.some((one) => one.variable === `${variable}_FILE`));
  const named = new Set([...bad, ...problems].map(({ variable }) => variable.replace(/_FILE$/, '')));
  const refused = refusedInMode(given, known, needed).filter(({ variable }) => !named.has(variable));
  return { given, data: data as z.output<S> | undefined, problems: [...unknown, ...problems, ...bad, ...refused] };
}

/**
 * Like readEnvironment.
 * @throws ConfigError that lists every variable with a problem
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined> = process.env,
  needed: readonly string[] = [],
): z.output<S> {
  const { data, problems } = readEnvironment(schema, env, needed);
  if (problems.length > 0 || data === undefined) throw new ConfigError(problems);
  return data;
}

/** Warns of variables that look like ours and are unknown: this reveals misspellings, while an older release still starts beside newer names. */
export function warnOfUnknownVariables(
  log: Pick<Log, 'warn'>,
  env: Record<string, string | undefined> = process.env,
): void {
  const variables = unknownVariables(env);
  if (variables.length > 0) log.warn({ variables }, 'unknown variables, ignored by this release');
}

/**
 * Returns what is not allowed in local mode, or outside it. Checks only variables that the process reads.
 */
function refusedInMode(
  given: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
  needed: readonly string[],
): Problem[] {
  const found: Problem[] = [];
  const refuse = (variable: string, message: string) => {
    if (known.has(variable)) found.push({ variable, message });
  };
  if (isLocalMode(given)) {
    if (!isLoopback(given.HOST ?? '127.0.0.1')) {
      refuse('HOST', 'must be a loopback address in local mode; production mode needs NODE_ENV=production');
    }
    return found;
  }
  for (const name of needed) if (!given[name]) refuse(name, 'is required outside local mode');
  if (Number(given.RATE_LIMIT_SCALE ?? 1) === 0) refuse('RATE_LIMIT_SCALE', '0 (off) is for local mode only');
  for (const name of ['NATS_URL', 'NATS_RIGHTS_URL', 'MONGODB_URI']) {
    if (isUnencrypted(given[name] ?? ''))
      refuse(
        name,
        `would be unencrypted off loopback: outside local mode it needs ${name === 'MONGODB_URI' ? 'tls=true' : 'tls://'}`,
      );
  }
  const { PUBLIC_ORIGIN: origin, NODE_ENV: mode } = given;
  if (mode === 'production' && !origin) refuse('PUBLIC_ORIGIN', 'is required in production');
  else if (mode === 'production' && !origin?.startsWith('https:'))
    refuse('PUBLIC_ORIGIN', 'must be https in production');
  else if (origin?.startsWith('http:') && URL.canParse(origin) && !isLoopback(new URL(origin).hostname))
    refuse('PUBLIC_ORIGIN', 'must be https off loopback outside local mode: sessions are sent over it');
  return found;
}

/** A parsed NATS address. The text must have passed `baseConfig`. */
interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  /** The address is tls://: connect with TLS or not at all. */
  tls: boolean;
}

export function parseNatsUrl(urls: string): NatsAddress {
  const parsed = urls.split(',').map((one) => new URL(withNatsScheme(one)));
  const first = parsed.find((url) => url.username);
  const servers = parsed.map((url) => `${url.hostname}:${url.port || '4222'}`);
  const tls = parsed.some((url) => url.protocol === 'tls:');
  if (!first) return { servers, tls };
  return { servers, tls, user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) };
}

/** @throws ConfigError when the creds file cannot be read */
export function readCredsFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    throw new ConfigError([{ variable: 'NATS_CREDS', message: 'the file cannot be read' }]);
  }
}
