import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES, type Variable } from './variables.js';

type Environment = Readonly<Record<string, string | undefined>>;
const table: Readonly<Record<string, Variable>> = VARIABLES;
const names = Object.keys(table);

/** The row of a name; undefined where there is none. */
export function variableOf(name: string): Variable | undefined {
  return table[name];
}

/** Variables with something secret in them. */
const SECRET_VARIABLES: readonly string[] = names.filter((name) => table[name]?.secret);
/** Those whose files are read again while their service runs. */
export const RENEWED_VARIABLES: readonly string[] = names.filter((name) => table[name]?.renewed);

/**
 * What a process reads.
 * @param process a service or `gateway`; what every process reads where it is left out
 */
export function readBy(process?: string): string[] {
  const isService = process !== undefined && process !== 'gateway';
  const groups = ['all', process, ...(isService ? ['services'] : [])];
  return names.filter((name) => table[name]?.by.some((reader) => groups.includes(reader)));
}

/** First words that belong to others as well: of these a name is ours by its first two. */
const EVERYBODYS = new Set(['NODE', 'PUBLIC', 'LOG', 'SESSION', 'KEY', 'ADDRESS', 'ADMIN', 'MODULE', 'SHELL', 'HOT']);
const OURS = names.flatMap((name) => {
  const [first = '', second, ...rest] = name.split('_');
  if (second === undefined) return [];
  if (!EVERYBODYS.has(first)) return [`${first}_`];
  return rest.length > 0 ? [`${first}_${second}_`] : [`${name}_`];
});

/**
 * Names that look like ours and that nothing reads: typing errors. A few more letters behind a whole name are one, too.
 * @param known what there is; files of secrets are known by that
 */
export function unknownVariables(env: Environment, known: readonly string[] = names): string[] {
  const files = known.filter((name) => table[name]?.secret).map((name) => `${name}_FILE`);
  const all = new Set([...known, ...files]);
  const given = Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== '' && !all.has(name));
  return given.filter((name) => OURS.some((prefix) => name.startsWith(prefix)));
}

/** What is wrong with a variable; the message follows its name. */
export interface Problem {
  variable: string;
  message: string;
}

/** A sentence for each. */
export function problemLines(problems: readonly Problem[]): string[] {
  return problems.map(({ variable, message }) => `${variable} ${message}.`);
}

/** Variables whose files a process reads once, at its start: auth reads those of the others by itself, so that they can be renewed while it runs. */
const READ_ONCE: ReadonlySet<string> = new Set(
  SECRET_VARIABLES.filter((name) => !table[name]?.renewed && !table[name]?.made),
);

/**
 * The environment with what secret files hold, without the end of their last line, in the place of their names.
 * SECRETS_DIR stands for NAME_FILE of each secret that has a file of its name in that folder.
 * @param known names that this process reads; one that reads NAME_FILE by itself is left to it
 */
export function withSecretFiles(
  env: Environment,
  known: ReadonlySet<string> = READ_ONCE,
): { given: Record<string, string | undefined>; problems: Problem[] } {
  const { SECRETS_DIR: folder, ...rest } = env;
  const given: Record<string, string | undefined> = rest;
  const problems: Problem[] = [];
  try {
    for (const name of folder ? readdirSync(folder) : [])
      if (SECRET_VARIABLES.includes(name)) given[`${name}_FILE`] ||= join(folder ?? '', name);
  } catch {
    problems.push({ variable: 'SECRETS_DIR', message: 'names a folder that cannot be read' });
  }
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`;
    const file = given[variable];
    if (!file || !known.has(name) || known.has(variable)) continue;
    if (given[name]) {
      problems.push({ variable, message: `and ${name} are both set` });
      continue;
    }
    try {
      // An empty one counts as absent, as an empty variable does.
      given[name] = readFileSync(file, 'utf8').trimEnd() || undefined;
      // What was read is read: a second read finds one value, not two.
      delete given[variable];
    } catch {
      problems.push({ variable, message: 'names a file that cannot be read' });
    }
  }
  return { given, problems };
}
