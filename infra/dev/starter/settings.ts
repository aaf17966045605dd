import { resolve } from 'node:path';
import { z } from 'zod';
import { isLocalMode, readEnvironment } from '../../../services/kit/config.ts';
import { problemLines, RENEWED_VARIABLES, unknownVariables } from '../../../services/kit/environment.ts';
import { MADE_ONCE, REPLICAS_MAX, VARIABLES, type Variable } from '../../../services/kit/variables.ts';
import type { Flags } from './flags.mjs';
import { moduleStoreOf } from './paths.mjs';
import { StartError } from './problems.mjs';

const PORT_MAX = 65_535;

/** Variables that a start reads from outside, without those that it makes. */
const TAKEN = Object.entries<Variable>(VARIABLES).filter(([, { made }]) => !made);
/** Secrets made in the data folder on one machine, required in production (infra/dev/ENVIRONMENT.md). */
export const SECRET_NAMES: readonly string[] = TAKEN.filter(([, { fallback }]) => fallback === MADE_ONCE).map(
  ([name]) => name,
);

const schema = z.object({
  ...Object.fromEntries(TAKEN.map(([name, row]) => [name, row.schema.optional()])),
  // Auth reads these files itself.
  ...Object.fromEntries(RENEWED_VARIABLES.map((name) => [`${name}_FILE`, z.string().optional()])),
});

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the settings from the command line and the environment; the command line wins.
 * @throws {StartError} naming every flag and variable that is unknown, bad, missing or refused in this mode
 */
export function readSettings(flags: Flags, environment: NodeJS.ProcessEnv) {
  const { given: env, problems: unfit } = readEnvironment(schema, environment);
  const local = isLocalMode(env);
  const problems = [
    ...wholeNumber('--port', flags.port, 0, PORT_MAX),
    ...wholeNumber('--replicas', flags.replicas, 1, REPLICAS_MAX),
    ...(flags.data?.trim() === '' ? ['--data must not be empty.'] : []),
    ...problemLines(unfit),
    ...missing(env),
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
    /** Names with our prefixes that no start reads. */
    unread: unknownVariables(
      env,
      TAKEN.map(([name]) => name),
    ),
  };
}

/** Reports missing variables: those that another setting needs, and those that production needs. */
function missing(env: NodeJS.ProcessEnv): string[] {
  const needs = (name: string, why: string) =>
    env[name] || (RENEWED_VARIABLES.includes(name) && env[`${name}_FILE`]) ? [] : [`${name} is missing: ${why}.`];
  const forPayments = env.SOLANA_RPC_URL
    ? needs('SOLANA_TREASURY', 'SOLANA_RPC_URL is set, so payments need a receiving address')
    : env.SOLANA_TREASURY && !isLocalMode(env)
      ? needs('SOLANA_RPC_URL', 'SOLANA_TREASURY is set, and only local mode has its own chain')
      : [];
  if (env.NODE_ENV === 'production') {
    const needed = ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET', ...SECRET_NAMES];
    return [...forPayments, ...needed.flatMap((name) => needs(name, 'production needs it'))];
  }
  const forDiscord = env.DISCORD_CLIENT_ID ? needs('DISCORD_CLIENT_SECRET', 'DISCORD_CLIENT_ID is set') : [];
  return [...forPayments, ...forDiscord];
}

function wholeNumber(flag: string, value: string | undefined, min: number, max: number): string[] {
  const fits = value === undefined || (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max);
  return fits ? [] : [`${flag} is "${value}", but must be a whole number from ${min} to ${max}.`];
}
