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

/** Variables of the machine that each of our processes gets; beyond these, only the variables that it reads. */
const OF_THE_MACHINE = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** Every service in display order: a copy of the contracts' SERVICES for code that runs before the build. A test compares the two. */
export const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

/** Returns the names of a service's secret variables (services/README.md#sign-in-and-rights). */
export function secretsOf(service: string): string[] {
  return readBy(service).filter((name) => variableOf(name)?.secret);
}

/** @returns the variables that are set */
export function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/**
 * Returns the part of the environment that a process of ours gets.
 * @param process a service or `gateway`; else the common part
 */
export function envOf(env: NodeJS.ProcessEnv, process?: string): Record<string, string> {
  const own = readBy(process).filter((name) => !variableOf(name)?.made);
  const files = own.filter((name) => variableOf(name)?.renewed).map((name) => `${name}_FILE`);
  const otel = Object.keys(env).filter((name) => name.startsWith('OTEL_'));
  return pick(env, [...OF_THE_MACHINE, ...own, ...files, ...otel]);
}

/** The sources of an installation's secrets. */
export interface SecretsFrom {
  env: NodeJS.ProcessEnv;
  dataDir: string;
}

/** Whether missing secrets are made in the data folder; in production readSettings requires them. */
export const makesSecrets = (env: NodeJS.ProcessEnv): boolean => env.NODE_ENV !== 'production';

/**
 * Returns the secrets of this installation: from the environment, else made in the data folder (never in production,
 * where readSettings has required them).
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

/** Returns the file name of a secret in <data>/secrets. */
export const secretFile = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/**
 * Returns the sources of auth's renewable secrets: the environment, a file named there, else a file in the data folder.
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
 * Derives rewards' key for used signatures. Rewards does not get TOMBSTONE_KEY, which could test Discord ids against
 * auth's tombstones. The derivation must never change, since rewards stores these hashes.
 * @returns 64 hex characters
 */
export function signaturesKey(tombstoneKey: string): string {
  return Buffer.from(hkdfSync('sha256', tombstoneKey, 'cord', 'used transaction signature', 32)).toString('hex');
}

/**
 * Returns the specification of one replica of a service.
 * @param given without a release it runs the checkout
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
