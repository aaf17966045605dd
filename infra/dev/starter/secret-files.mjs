import { readFileSync } from 'node:fs';

/** Variables with something secret in them: each may stand in a file instead, which NAME_FILE names (services/kit/secret-files.ts). */
export const SECRET_VARIABLES = [
  'MONGODB_URI',
  'NATS_URL',
  'NATS_RIGHTS_URL',
  'SOLANA_RPC_URL',
  'DISCORD_CLIENT_SECRET',
  'SESSION_SECRET',
  'KEY_ENCRYPTION_KEY',
  'ADDRESS_HASH_KEY',
  'TOMBSTONE_KEY',
];
/** Auth reads the files of these by itself, so that they can be renewed while it runs. */
const READ_BY_AUTH = new Set(['SESSION_SECRET', 'KEY_ENCRYPTION_KEY']);

/**
 * The environment with what secret files hold in the place of their names.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{env: NodeJS.ProcessEnv, problems: string[]}}
 */
export function withSecretFiles(env) {
  const found = { ...env };
  const problems = [];
  for (const name of SECRET_VARIABLES.filter((one) => !READ_BY_AUTH.has(one))) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) problems.push(`${name}_FILE and ${name} are both set.`);
    else {
      try {
        found[name] = readFileSync(file, 'utf8').trimEnd();
        // What was read is read: who looks again finds one value, not two.
        delete found[`${name}_FILE`];
      } catch {
        problems.push(`${name}_FILE names a file that cannot be read.`);
      }
    }
  }
  return { env: found, problems };
}
