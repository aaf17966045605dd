import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { callerKeyOf } from '../../../services/kit/caller-key.ts';
import { RENEWED_VARIABLES, readBy, variableOf } from '../../../services/kit/environment.ts';
import { opsUrlOf } from '../../../services/kit/ops-port.ts';
import { secret } from './data-folder.ts';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.ts';
import type { Release } from './rolling-update.ts';
import { SECRET_NAMES, type Settings } from './settings.ts';
import type { LaunchSpec } from './supervised.ts';

/** What of the machine every process of ours gets; of the surrounding environment else only what it reads. */
const OF_THE_MACHINE = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** Every service, in the order in which they are shown: SERVICES of the contracts, for what runs before the build. A test compares the two. */
export const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

/** The variables with something secret in them that a service is given (services/README.md#sign-in-and-rights). */
export function secretsOf(service: string): string[] {
  return readBy(service).filter((name) => variableOf(name)?.secret);
}

/** @returns those that are set */
export function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/**
 * What a process of ours gets of the surrounding environment.
 * @param process a service or `gateway`; else what all of them get
 */
export function envOf(env: NodeJS.ProcessEnv, process?: string): Record<string, string> {
  const own = readBy(process).filter((name) => !variableOf(name)?.made);
  const files = own.filter((name) => variableOf(name)?.renewed).map((name) => `${name}_FILE`);
  const otel = Object.keys(env).filter((name) => name.startsWith('OTEL_'));
  return pick(env, [...OF_THE_MACHINE, ...own, ...files, ...otel]);
}

/** Where the secrets of an installation come from. */
export interface SecretsFrom {
  env: NodeJS.ProcessEnv;
  dataDir: string;
}

/** Whether secrets that are not given are made in the data folder: in production readSettings demands them. */
export const makesSecrets = (env: NodeJS.ProcessEnv): boolean => env.NODE_ENV !== 'production';

/**
 * The secrets of this installation: from the environment, else made in the data folder (never in production, where
 * readSettings has already demanded them).
 */
export async function installationSecrets({ env, dataDir }: SecretsFrom): Promise<Record<string, string>> {
  const found = await renewableSecrets({ env, dataDir });
  for (const name of SECRET_NAMES.filter((one) => !RENEWED_VARIABLES.includes(one)))
    found[name] = env[name] ?? (await secret(dataDir, secretFile(name)));
  const optional = ['DISCORD_CLIENT_SECRET', 'LEDGER_MEMO_KEY', 'VAPID_PRIVATE_KEY'];
  Object.assign(found, pick(env, optional));
  if (makesSecrets(env)) for (const name of optional) found[name] ??= await secret(dataDir, secretFile(name));
  return found;
}

/** Its file in <data>/secrets. */
export const secretFile = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/**
 * Where auth finds its secrets that may be renewed: in the environment, in a file that it names, else in one of the data folder.
 * @returns NAME or NAME_FILE of each
 */
export async function renewableSecrets({ env, dataDir }: SecretsFrom): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of RENEWED_VARIABLES) {
    const file = `${name}_FILE`;
    if (env[file]) found[file] = env[file];
    else if (env[name] || !makesSecrets(env)) Object.assign(found, pick(env, [name]));
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
 * @returns 64 hex characters
 */
export function signaturesKey(tombstoneKey: string): string {
  return Buffer.from(hkdfSync('sha256', tombstoneKey, 'cord', 'used transaction signature', 32)).toString('hex');
}

/**
 * What to run for one replica of a service.
 * @param given without a release it is the checkout's
 */
export function serviceProcess(given: {
  service: string;
  replica: number;
  port: number;
  settings: Settings;
  secrets: Record<string, string>;
  mongodbUri: string;
  natsUrl: string;
  rightsUrl?: string | undefined;
  publicOrigin: string;
  solana?: { env: Record<string, string> } | null;
  release?: Release | undefined;
}): LaunchSpec {
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
      ...(secretsOf(service).includes('SIGNATURES_KEY') && {
        SIGNATURES_KEY: signaturesKey(secrets.TOMBSTONE_KEY ?? ''),
      }),
      CALLER_KEY: callerKeyOf(secrets.GATEWAY_KEY ?? '', service),
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
