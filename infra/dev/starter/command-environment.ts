import { problemLines, withSecretFiles } from '../../../services/kit/environment.ts';
import { StartError } from './problems.mjs';

/**
 * Returns the environment of a command, with the contents of its secret files.
 * @throws {StartError} naming each unreadable file: without it a command would work on another store than the one intended
 */
export function commandEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string | undefined> {
  const { given, problems } = withSecretFiles(env);
  if (problems.length > 0) throw new StartError(problemLines(problems).join('\n'));
  return given;
}
