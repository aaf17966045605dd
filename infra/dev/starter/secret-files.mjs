// @ts-check
import { readFileSync } from 'node:fs';
import { VARIABLES } from '../../../services/kit/variables.mjs';

/** Variables whose files the start reads; auth reads those of the others by itself, so that they can be renewed while it runs. */
const READ_HERE = Object.entries(VARIABLES)
  .filter(([, { secret, renewed, made }]) => secret && !renewed && !made)
  .map(([name]) => name);

/**
 * The environment with what secret files hold in the place of their names.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{env: NodeJS.ProcessEnv, problems: string[]}}
 */
export function withSecretFiles(env) {
  const found = { ...env };
  const problems = [];
  for (const name of READ_HERE) {
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
