// @ts-check
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import {
  goesInClear,
  isLoopback,
  SECRET_VARIABLES,
  unknownVariables,
  VARIABLES,
} from '../../../services/kit/variables.mjs';
import { StartError } from './problems.mjs';
import { withSecretFiles } from './secret-files.mjs';

/** Made in the data folder on one machine, required in production (infra/dev/ENVIRONMENT.md). */
export const SECRET_NAMES = [
  'SESSION_SECRET',
  'KEY_ENCRYPTION_KEY',
  'ADDRESS_HASH_KEY',
  'LEDGER_LOG_KEY',
  'TOMBSTONE_KEY',
  'GATEWAY_KEY',
];

const PORT_MAX = 65_535;
const REPLICAS_MAX = 32;

/** @typedef {(text: string) => true | string} Rule whether a value is one, else what it must be */

/** @type {Rule} */
const httpUrl = (text) => /^https?:$/.test(urlOf(text)?.protocol ?? '') || 'an http(s) address';
/** @type {Rule} */
const origin = (text) =>
  urlOf(text)?.origin === text || 'an origin such as https://cord.example (no path, no slash at the end)';
/** @type {(min: number, max: number) => Rule} */
const wholeNumber = (min, max) => (text) =>
  (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) || `a whole number from ${min} to ${max}`;
/** @type {Rule} */
const decimal = (text) => /^\d+(\.\d+)?$/.test(text) || 'a number, 0 or more';
/** @type {(...words: string[]) => Rule} */
const oneOf =
  (...words) =>
  (text) =>
    words.includes(text) || `one of ${words.join(', ')}`;
/** @type {(pattern: RegExp, example: string) => Rule} */
const scheme = (pattern, example) => (text) => pattern.test(text) || `an address such as ${example}`;
/** @type {Rule} */
const filled = (text) => text.trim() !== '' || 'not empty';
/** @type {Rule} */
const key = (text) => text.length >= 32 || 'at least 32 characters';
/** A new value and the one it takes the place of. @type {Rule} */
const keys = (text) =>
  (text.split(',').length <= 2 && text.split(',').every((one) => key(one) === true)) ||
  'at least 32 characters, or two such values with a comma';
/** @type {Rule} */
const cidrList = (text) =>
  text.split(',').every((part) => isCidr(part.trim())) || 'a list of addresses or CIDR ranges, with commas';
/** @type {Rule} */
const isoTime = (text) => !Number.isNaN(Date.parse(text)) || 'a time in ISO 8601';

/** What the value of each variable must be that a start takes. @type {Readonly<Record<string, Rule>>} */
export const RULES = {
  NODE_ENV: filled,
  HOST: filled,
  PORT: wholeNumber(0, PORT_MAX),
  CORD_DATA: filled,
  CORD_TEST_BACKEND: filled,
  PUBLIC_ORIGIN: origin,
  MONGODB_URI: scheme(/^mongodb(\+srv)?:\/\/./, 'mongodb://127.0.0.1:27017'),
  NATS_URL: scheme(/^(nats|tls):\/\/./, 'nats://127.0.0.1:4222'),
  NATS_CREDS: filled,
  NATS_REPLICAS: oneOf('1', '3', '5'),
  NATS_RIGHTS_URL: scheme(/^(nats|tls):\/\/./, 'nats://rights@127.0.0.1:4222'),
  NATS_RIGHTS_CREDS: filled,
  DISCORD_CLIENT_ID: filled,
  DISCORD_CLIENT_SECRET: filled,
  DISCORD_PKCE: oneOf('on', 'off'),
  SESSION_SECRET: keys,
  KEY_ENCRYPTION_KEY: keys,
  ADDRESS_HASH_KEY: key,
  LEDGER_LOG_KEY: keys,
  TOMBSTONE_KEY: key,
  GATEWAY_KEY: key,
  SOLANA_RPC_URL: httpUrl,
  SOLANA_TREASURY: filled,
  SOLANA_REFLECTOR: filled,
  BADGE_PRICE_LAMPORTS: wholeNumber(1, 9_999_999_999_999),
  SOL_PRICE_URL: httpUrl,
  VAPID_PRIVATE_KEY: (text) => /^([0-9a-f]{64}|[A-Za-z0-9_-]{43}=?)$/.test(text) || '32 bytes as hex or base64url',
  VAPID_PUBLIC_KEY: filled,
  VAPID_SUBJECT: (text) => /^(https:\/\/|mailto:)./.test(text) || 'an address that begins with https:// or mailto:',
  PUSH_HOSTS: filled,
  ADMIN_DISCORD_IDS: (text) => /^\d+(\s*,\s*\d+)*$/.test(text) || 'a list of Discord ids, with commas',
  TRUSTED_PROXIES: cidrList,
  RATE_LIMIT_SCALE: decimal,
  COMPENSATION: oneOf('on', 'off'),
  COMPENSATION_UNTIL: isoTime,
  MODULE_STORE: filled,
  DRAIN_MS: wholeNumber(0, 120_000),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
};

/** @typedef {ReturnType<typeof readSettings>} Settings */

/**
 * What this start is to do, from the command line and the environment; the command line wins.
 * @param {ReturnType<typeof import('./flags.mjs').readFlags>} flags
 * @param {NodeJS.ProcessEnv} given
 * @throws {StartError} naming every flag and variable that is unknown, bad, missing or refused in this mode
 */
export function readSettings(flags, given) {
  const { env, problems: unreadable } = withSecretFiles(given);
  const local = env.NODE_ENV !== 'production' && !env.DISCORD_CLIENT_ID;
  const problems = [
    ...unreadable,
    ...checked('--port', flags.port, wholeNumber(0, PORT_MAX)),
    ...checked('--replicas', flags.replicas, wholeNumber(1, REPLICAS_MAX)),
    ...checked('--data', flags.data, filled),
    ...unfitVariables(env),
    ...refusedInMode(env, local),
  ];
  if (problems.length > 0) throw new StartError(problems.join('\n  '));
  const dataDir = resolve(flags.data ?? env.CORD_DATA ?? '.data');
  return {
    env,
    mode: local ? 'local' : 'production',
    local,
    dev: flags.dev,
    module: flags.module,
    host: env.HOST ?? (local ? '127.0.0.1' : '0.0.0.0'),
    port: Number(flags.port ?? env.PORT ?? '8080'),
    publicOrigin: env.PUBLIC_ORIGIN,
    dataDir,
    moduleStore: moduleStoreOf(env, dataDir),
    replicas: Number(flags.replicas ?? 1),
    unread: unread(env),
  };
}

/** Where published modules lie: MODULE_STORE, else in the data. @param {NodeJS.ProcessEnv} env @param {string} dataDir */
export function moduleStoreOf(env, dataDir) {
  return env.MODULE_STORE ? resolve(env.MODULE_STORE) : join(dataDir, 'modules');
}

/** Names that look like ours and that no start takes. @param {NodeJS.ProcessEnv} env */
const unread = (env) => unknownVariables(env, Object.keys(RULES));

/** @param {NodeJS.ProcessEnv} env */
function unfitVariables(env) {
  return [
    // These are nobody else's; others may be somebody's, and are only named.
    ...unread(env)
      .filter((name) => name.startsWith('CORD_'))
      .map((name) => `unknown variable ${name}.`),
    ...Object.entries(RULES).flatMap(([name, rule]) => [
      ...checked(name, env[name], rule),
      ...(VARIABLES[name]?.secret ? checked(`${name}_FILE`, env[`${name}_FILE`], filled) : []),
    ]),
  ];
}

/**
 * What is missing or may not be so: in local mode, with a setting that needs another one, in production.
 * @param {NodeJS.ProcessEnv} env @param {boolean} local
 */
function refusedInMode(env, local) {
  /** @type {string[]} */
  const problems = [];
  /** @param {string} name @param {string} why */
  const needs = (name, why) => {
    const file = `${name}_FILE`;
    if (!env[name] && !(VARIABLES[name]?.secret && env[file])) problems.push(`${name} is missing: ${why}.`);
  };
  if (local && !isLoopback(env.HOST ?? '127.0.0.1')) {
    problems.push(
      'HOST is not a loopback address: local mode listens on loopback only. Set NODE_ENV=production for production mode.',
    );
  }
  if (env.SOLANA_RPC_URL) needs('SOLANA_TREASURY', 'SOLANA_RPC_URL is set, so payments need the address they go to');
  if (env.DISCORD_CLIENT_ID && env.NODE_ENV !== 'production')
    needs('DISCORD_CLIENT_SECRET', 'DISCORD_CLIENT_ID is set');
  if (local) return problems;
  if (Number(env.RATE_LIMIT_SCALE ?? 1) === 0)
    problems.push('RATE_LIMIT_SCALE 0 turns every limit off: that is for local mode only.');
  for (const [name, secured] of Object.entries({
    NATS_URL: 'tls://',
    NATS_RIGHTS_URL: 'tls://',
    MONGODB_URI: 'tls=true',
  })) {
    if (goesInClear(env[name] ?? ''))
      problems.push(`${name} is not encrypted beyond loopback: outside local mode it needs ${secured}.`);
  }
  if (env.NODE_ENV !== 'production') return problems;
  for (const name of ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET', 'PUBLIC_ORIGIN', ...SECRET_NAMES])
    needs(name, 'production needs it');
  if (env.PUBLIC_ORIGIN && !env.PUBLIC_ORIGIN.startsWith('https:'))
    problems.push('PUBLIC_ORIGIN must be https in production.');
  return problems;
}

/** @param {string} name @param {string | undefined} value @param {Rule} rule */
function checked(name, value, rule) {
  if (value === undefined) return [];
  const verdict = rule(value);
  if (verdict === true) return [];
  // What is secret is not shown, however wrong it is.
  return [
    SECRET_VARIABLES.includes(name) ? `${name} must be ${verdict}.` : `${name} is "${value}", but must be ${verdict}.`,
  ];
}

/** @param {string} text */
function urlOf(text) {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** @param {string} text */
function isCidr(text) {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
