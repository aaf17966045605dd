import { readFileSync } from 'node:fs';
import { SECRET_VARIABLES } from '#variables';

type Problem = { variable: string; message: string };
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with what secret files hold in the place of their names, without the end of their last line.
 * @param known names that this process reads; one that reads NAME_FILE by itself is left to it
 */
export function withSecretFiles(
  given: Environment,
  known: ReadonlySet<string>,
): { given: Record<string, string | undefined>; problems: Problem[] } {
  const found: Record<string, string | undefined> = { ...given };
  const problems: Problem[] = [];
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`;
    const file = given[variable];
    if (file === undefined || !known.has(name) || known.has(variable)) continue;
    if (given[name] !== undefined) {
      problems.push({ variable, message: `and ${name} are both set` });
      continue;
    }
    try {
      found[name] = readFileSync(file, 'utf8').trimEnd();
    } catch {
      problems.push({ variable, message: 'the file cannot be read' });
    }
  }
  return { given: found, problems };
}
