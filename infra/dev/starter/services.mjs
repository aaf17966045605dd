import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { secret } from './data-folder.mjs';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.mjs';
import { SECRET_VARIABLES } from './secret-files.mjs';
import { SECRET_NAMES } from './settings.mjs';

/** SIGNATURES_KEY is no variable of the start, which makes it. */
const SECRET = new Set([...SECRET_VARIABLES, 'SIGNATURES_KEY']);

/** What every process of ours gets of the surrounding environment; anything else stays outside. */
const COMMON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'LOG_LEVEL',
  'DRAIN_MS',
];
/** What every service gets beside it: the mode, the proxies in front of it, the scale of its limits. */
const SERVICE = ['DISCORD_CLIENT_ID', 'TRUSTED_PROXIES', 'RATE_LIMIT_SCALE', 'NATS_CREDS'];

/** Every service, in the order in which they are shown. */
export const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

/** What a service alone gets: the secrets it needs and no other (design.md, Sign-in and rights). */
const OWN = {
  auth: [
    'NATS_RIGHTS_URL',
    'NATS_RIGHTS_CREDS',
    'SESSION_SECRET',
    'SESSION_SECRET_FILE',
    'KEY_ENCRYPTION_KEY',
    'KEY_ENCRYPTION_KEY_FILE',
    'ADDRESS_HASH_KEY',
    'TOMBSTONE_KEY',
    'DISCORD_CLIENT_SECRET',
    'DISCORD_PKCE',
    'ADMIN_DISCORD_IDS',
  ],
  mining: ['ADDRESS_HASH_KEY'],
  tasks: [],
  referrals: [],
  rewards: [
    'SIGNATURES_KEY',
    'SOLANA_RPC_URL',
    'SOLANA_TREASURY',
    'SOLANA_REFLECTOR',
    'BADGE_PRICE_LAMPORTS',
    'SOL_PRICE_URL',
    'COMPENSATION',
    'COMPENSATION_UNTIL',
  ],
  leaderboard: [],
  notices: [],
};

/** The variables with something secret in them that a service is given. @param {string} service @returns {string[]} */
export function secretsOf(service) {
  return ['MONGODB_URI', 'NATS_URL', ...OWN[service]].filter((name) => SECRET.has(name));
}

/** @param {NodeJS.ProcessEnv} env @param {string[]} names @returns {Record<string, string>} those that are set */
export function pick(env, names) {
  return Object.fromEntries(names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]));
}

/** The environment that every process of ours starts from. */
export function commonEnv(env) {
  const otel = Object.keys(env).filter((name) => name.startsWith('OTEL_'));
  return pick(env, [...COMMON, ...otel]);
}

/**
 * The secrets of this installation: from the environment, else made in the data folder (never in production, where
 * readSettings has already asked for them).
 */
export async function installationSecrets({ env, dataDir, local }) {
  const found = await renewableSecrets({ env, dataDir, local });
  for (const name of SECRET_NAMES.filter((one) => !RENEWABLE.includes(one)))
    found[name] = env[name] ?? (await secret(dataDir, secretFile(name)));
  found.DISCORD_CLIENT_SECRET = env.DISCORD_CLIENT_SECRET;
  if (local) found.DISCORD_CLIENT_SECRET ??= await secret(dataDir, 'discord-client-secret');
  return found;
}

/** What `npm run keys` renews in its file while auth runs. */
const RENEWABLE = ['SESSION_SECRET', 'KEY_ENCRYPTION_KEY'];
/** Its file in <data>/secrets. */
export const secretFile = (name) => name.toLowerCase().replaceAll('_', '-');

/**
 * Where auth finds its secrets that may be renewed: in the environment, in a file that it names, else in one of the data folder.
 * @returns {Promise<Record<string, string>>} NAME or NAME_FILE of each
 */
export async function renewableSecrets({ env, dataDir, local }) {
  const found = {};
  for (const name of RENEWABLE) {
    const file = `${name}_FILE`;
    if (env[file]) found[file] = env[file];
    else if (env[name] || !local) found[name] = env[name];
    else {
      await secret(dataDir, secretFile(name));
      found[file] = join(dataDir, 'secrets', secretFile(name));
    }
  }
  return found;
}

/**
 * What rewards gets instead of TOMBSTONE_KEY, with which it could try Discord ids against auth's tombstones: the key of used
 * signatures alone. It stays the same for ever, as rewards' stored hashes do.
 * @param {string} tombstoneKey @returns {string} 64 hex characters
 */
export function signaturesKey(tombstoneKey) {
  return Buffer.from(hkdfSync('sha256', tombstoneKey, 'cord', 'used transaction signature', 32)).toString('hex');
}

/**
 * What to run for one replica of a service.
 * @param {{service: string, replica: number, port: number, settings: any, secrets: Record<string, string>, mongodbUri: string, natsUrl: string, rightsUrl?: string, publicOrigin: string, solana?: {env: Record<string, string>}, release?: import('./roll.mjs').Release}} given without a release it is the checkout's
 */
export function serviceProcess(given) {
  const { main = join(ROOT, 'services', given.service, 'dist/main.js'), version } = given.release ?? {};
  const { service, replica, port, settings, secrets, mongodbUri, natsUrl, rightsUrl, publicOrigin, solana } = given;
  const own = {
    ...settings.env,
    ...secrets,
    SIGNATURES_KEY: signaturesKey(secrets.TOMBSTONE_KEY),
    ...solana?.env,
    ...(rightsUrl ? { NATS_RIGHTS_URL: rightsUrl } : {}),
  };
  const url = `http://127.0.0.1:${port}`;
  return {
    service,
    version,
    command: process.execPath,
    args: ['--enable-source-maps', main],
    env: {
      ...commonEnv(settings.env),
      ...pick(own, [...SERVICE, ...OWN[service]]),
      HOST: '127.0.0.1',
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      NATS_URL: natsUrl,
      PUBLIC_ORIGIN: publicOrigin,
      CORD_DATA: settings.dataDir,
      CORD_REPLICA: String(replica),
    },
    url,
    metricsUrl: `${url}/metrics`,
    isReady: answersOk(`${url}/readyz`),
  };
}
