import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { callerKeyOf } from '../../../services/kit/caller-key.mjs';
import { opsUrlOf } from '../../../services/kit/ops-port.mjs';
import { RENEWED_VARIABLES, readBy, VARIABLES } from '../../../services/kit/variables.mjs';
import { secret } from './data-folder.mjs';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.mjs';
import { SECRET_NAMES } from './settings.mjs';

/** What of the machine every process of ours gets; of the surrounding environment else only what it reads. */
const OF_THE_MACHINE = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** Every service, in the order in which they are shown: SERVICES of the contracts, for what runs before the build. A test compares the two. */
export const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

/** The variables with something secret in them that a service is given (services/README.md#sign-in-and-rights). @param {string} service @returns {string[]} */
export function secretsOf(service) {
  return readBy(service).filter((name) => VARIABLES[name].secret);
}

/** @param {NodeJS.ProcessEnv} env @param {string[]} names @returns {Record<string, string>} those that are set */
export function pick(env, names) {
  return Object.fromEntries(names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]));
}

/**
 * What a process of ours gets of the surrounding environment.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [process] a service or `gateway`; else what all of them get
 */
export function envOf(env, process) {
  const own = readBy(process).filter((name) => !VARIABLES[name].made);
  const files = own.filter((name) => VARIABLES[name].renewed).map((name) => `${name}_FILE`);
  const otel = Object.keys(env).filter((name) => name.startsWith('OTEL_'));
  return pick(env, [...OF_THE_MACHINE, ...own, ...files, ...otel]);
}

/**
 * The secrets of this installation: from the environment, else made in the data folder (never in production, where
 * readSettings has already asked for them).
 */
export async function installationSecrets({ env, dataDir, local }) {
  const found = await renewableSecrets({ env, dataDir, local });
  for (const name of SECRET_NAMES.filter((one) => !RENEWED_VARIABLES.includes(one)))
    found[name] = env[name] ?? (await secret(dataDir, secretFile(name)));
  found.DISCORD_CLIENT_SECRET = env.DISCORD_CLIENT_SECRET;
  found.VAPID_PRIVATE_KEY = env.VAPID_PRIVATE_KEY;
  if (!local) return found;
  for (const name of ['DISCORD_CLIENT_SECRET', 'VAPID_PRIVATE_KEY'])
    found[name] ??= await secret(dataDir, secretFile(name));
  return found;
}

/** Its file in <data>/secrets. */
export const secretFile = (name) => name.toLowerCase().replaceAll('_', '-');

/**
 * Where auth finds its secrets that may be renewed: in the environment, in a file that it names, else in one of the data folder.
 * @returns {Promise<Record<string, string>>} NAME or NAME_FILE of each
 */
export async function renewableSecrets({ env, dataDir, local }) {
  const found = {};
  for (const name of RENEWED_VARIABLES) {
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
  const surrounding = {
    ...settings.env,
    ...secrets,
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
      ...envOf(surrounding, service),
      ...(secretsOf(service).includes('SIGNATURES_KEY') && { SIGNATURES_KEY: signaturesKey(secrets.TOMBSTONE_KEY) }),
      CALLER_KEY: callerKeyOf(secrets.GATEWAY_KEY, service),
      HOST: '127.0.0.1',
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      NATS_URL: natsUrl,
      PUBLIC_ORIGIN: publicOrigin,
      CORD_DATA: settings.dataDir,
      CORD_REPLICA: String(replica),
    },
    url,
    metricsUrl: `${opsUrlOf(url)}/metrics`,
    isReady: answersOk(`${opsUrlOf(url)}/readyz`),
  };
}
