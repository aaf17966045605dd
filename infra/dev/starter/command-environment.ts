import { problemLines, withSecretFiles } from '../../../services/kit/environment.ts';
import { StartError } from './problems.mjs';

/**
 * The environment of a command, with what its secret files hold.
 * @throws {StartError} naming each file that cannot be read: without it a command would work on another store than the one that is meant
 */
export function commandEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string | undefined> {
  const { given, problems } = withSecretFiles(env);
  if (problems.length > 0) throw new StartError(problemLines(problems).join('\n'));
  return given;
}
