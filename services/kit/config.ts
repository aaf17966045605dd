import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { REPLICAS_MAX } from '@cord/contracts/events/streams';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { goesInClear, isLoopback, unknownVariables } from '#variables';
import { DRAIN_MS_DEFAULT, DRAIN_MS_MAX } from './bounds.js';
import type { Log } from './log.js';
import { withSecretFiles } from './secret-files.js';

export { isLoopback };

/** The environment does not fit; says which variable and why, never its value. */
export class ConfigError extends Error {
  readonly variables: readonly string[];

  constructor(problems: ReadonlyArray<{ variable: string; message: string }>) {
    super(problems.map(({ variable, message }) => `${variable}: ${message}`).join('; '));
    this.name = 'ConfigError';
    this.variables = problems.map(({ variable }) => variable);
  }
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  // The next one is that of operations.
  .refine((value) => value <= 65_534, 'must be at most 65534');

const origin = z.string().refine(isOrigin, 'must be an origin such as https://cord.example');

const natsUrl = z
  .string()
  .refine((value) => value.split(',').every((one) => /^(nats|tls):/.test(schemeOf(one))), 'must be a NATS URL')
  .refine((value) => new Set(value.split(',').map(schemeOf)).size === 1, 'must be all tls:// or all nats://');

const mongodbUri = z.string().regex(/^mongodb(\+srv)?:\/\/.+/, 'must begin with mongodb:// or mongodb+srv://');

/** What every service reads (infra/dev/ENVIRONMENT.md). Services extend it with their own names. */
export const baseConfig = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** 0 takes a free port. */
  PORT: port.default(0),
  MONGODB_URI: mongodbUri.default('mongodb://127.0.0.1:27017'),
  /** May carry user:password@; several servers stand with commas between. */
  NATS_URL: natsUrl.default('nats://127.0.0.1:4222'),
  /** Path of a creds file. */
  NATS_CREDS: z.string().min(1).optional(),
  PUBLIC_ORIGIN: origin.default('http://localhost:8080'),
  CORD_DATA: z.string().min(1).default('.data'),
  /** Number of this replica: no two of a service that run at a time have the same. */
  CORD_REPLICA: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value < REPLICAS_MAX, `must be less than ${REPLICAS_MAX}`)
    .default(0),
  DISCORD_CLIENT_ID: z.string().optional(),
  /** Key of the hashes under which addresses are remembered; without it this service's store never hears of one. */
  ADDRESS_HASH_KEY: secret().optional(),
  /** How long a process that stops says so, and serves on, before it closes, ms: twice the interval of its slowest prober. */
  DRAIN_MS: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number of ms')
    .transform(Number)
    .refine((value) => value <= DRAIN_MS_MAX, `must be at most ${DRAIN_MS_MAX}`)
    .default(DRAIN_MS_DEFAULT),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** CIDR list of proxies whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .refine((list) => list.every(isCidr), 'must be a list of addresses or CIDR ranges'),
  /** Multiplies every rate limit; 0 is off, and refused in production. */
  RATE_LIMIT_SCALE: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,3})?$/, 'must be a number of at least 0')
    .transform(Number)
    .default(1),
});
export type BaseConfig = z.output<typeof baseConfig>;

/** What every service is given beside it. */
export const serviceConfig = {
  /** Key of the gateway's tokens for this service; while it is renewed, new and former with a comma. */
  CALLER_KEY: newAndFormer(),
};

/**
 * Local mode: not production and no real Discord application (infra/README.md#local-mode). Only then do /dev, the movable
 * clock and the stand-ins exist.
 */
export function isLocalMode(env: { NODE_ENV?: string | undefined; DISCORD_CLIENT_ID?: string | undefined }): boolean {
  return env.NODE_ENV !== 'production' && !env.DISCORD_CLIENT_ID;
}

/**
 * Reads the environment by a schema. An empty variable counts as absent; a secret may stand in the file that NAME_FILE names.
 * @param needed what this process cannot do without outside local mode
 * @throws ConfigError naming each variable that does not fit, is missing, is an unknown CORD_* name, or is refused in
 * this mode: all of them at once
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined> = process.env,
  needed: readonly string[] = [],
): z.output<S> {
  const known = new Set(Object.keys(schema.shape));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { given, problems } = withSecretFiles(set, known);
  const unknown = unknownVariables(set)
    .filter((name) => name.startsWith('CORD_'))
    .map((variable) => ({ variable, message: 'is not a known setting' }));
  const parsed = schema.safeParse(given);
  const bad = parsed.success
    ? []
    : parsed.error.issues
        .map((issue) => ({ variable: String(issue.path[0] ?? '?'), message: issue.message }))
        // Its file is named already.
        .filter(({ variable }) => !problems.some((one) => one.variable === `${variable}_FILE`));
  const named = new Set([...bad, ...problems].map(({ variable }) => variable.replace(/_FILE$/, '')));
  const refused = refusedInMode(given, known, needed).filter(({ variable }) => !named.has(variable));
  const all = [...unknown, ...problems, ...bad, ...refused];
  if (all.length > 0) throw new ConfigError(all);
  return parsed.data as z.output<S>;
}

/** Names what looks like a variable of ours and is none: whoever misspelt it finds it in the log, and a release of before starts beside newer names. */
export function tellUnknown(log: Pick<Log, 'warn'>, env: Record<string, string | undefined> = process.env): void {
  const variables = unknownVariables(env);
  if (variables.length > 0) log.warn({ variables }, 'nothing of this release reads these variables');
}

/**
 * What may not be so in local mode, or outside it. Only what the process reads is looked at.
 */
function refusedInMode(
  given: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
  needed: readonly string[],
): Array<{ variable: string; message: string }> {
  const found: Array<{ variable: string; message: string }> = [];
  const refuse = (variable: string, message: string) => {
    if (known.has(variable)) found.push({ variable, message });
  };
  if (isLocalMode(given)) {
    if (!isLoopback(given.HOST ?? '127.0.0.1')) {
      refuse('HOST', 'local mode listens on loopback only; production mode needs NODE_ENV=production');
    }
    return found;
  }
  for (const name of needed) if (!given[name]) refuse(name, 'is needed outside local mode');
  if (Number(given.RATE_LIMIT_SCALE ?? 1) === 0) refuse('RATE_LIMIT_SCALE', '0 (off) is for local mode only');
  for (const name of ['NATS_URL', 'NATS_RIGHTS_URL', 'MONGODB_URI']) {
    if (goesInClear(given[name] ?? ''))
      refuse(
        name,
        `is not encrypted beyond loopback: outside local mode it needs ${name === 'MONGODB_URI' ? 'tls=true' : 'tls://'}`,
      );
  }
  const { PUBLIC_ORIGIN: origin, NODE_ENV: mode } = given;
  if (mode === 'production' && !origin) refuse('PUBLIC_ORIGIN', 'is needed in production');
  else if (mode === 'production' && !origin?.startsWith('https:'))
    refuse('PUBLIC_ORIGIN', 'must be https in production');
  else if (origin?.startsWith('http:') && URL.canParse(origin) && !isLoopback(new URL(origin).hostname))
    refuse('PUBLIC_ORIGIN', 'must be https off loopback: outside local mode sessions go over it');
  return found;
}

/** A secret of at least `charsMin` characters. */
export function secret(charsMin = 32) {
  return z.string().min(charsMin, `must have at least ${charsMin} characters`);
}

/** A secret that may have two values while it is renewed: `NEW,OLD`. */
export function newAndFormer() {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(secret()).min(1).max(2));
}

/** A NATS address taken apart. The text must have passed `baseConfig`. */
export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  /** The address is tls://: connect so, or not at all. */
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

/** An address, or a range of them as a CIDR. */
function isCidr(entry: string): boolean {
  return isIP(entry) !== 0 || (isIP(entry.split('/')[0] ?? '') !== 0 && ipaddr.isValidCIDR(entry));
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === value;
}

/** Empty for what is no address. */
function schemeOf(natsUrl: string): string {
  const url = withNatsScheme(natsUrl);
  return URL.canParse(url) ? new URL(url).protocol : '';
}

function withNatsScheme(value: string): string {
  const url = value.trim();
  return /^[a-z]+:\/\//.test(url) ? url : `nats://${url}`;
}
