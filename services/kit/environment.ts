import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES, type Variable } from './variables.js';

type Environment = Readonly<Record<string, string | undefined>>;
const table: Readonly<Record<string, Variable>> = VARIABLES;
const names = Object.keys(table);

/** Returns the definition of a variable; undefined when there is none. */
export function variableOf(name: string): Variable | undefined {
  return table[name];
}

/** Variables that contain a secret. */
const SECRET_VARIABLES: readonly string[] = names.filter((name) => table[name]?.secret);
/** Variables whose files are read again while the service runs. */
export const RENEWED_VARIABLES: readonly string[] = names.filter((name) => table[name]?.renewed);

/**
 * Returns the variables that a process reads.
 * @param process a service or `gateway`; undefined for those of every process
 */
export function readBy(process?: string): string[] {
  const isService = process !== undefined && process !== 'gateway';
  const groups = ['all', process, ...(isService ? ['services'] : [])];
  return names.filter((name) => table[name]?.by.some((reader) => groups.includes(reader)));
}

/** First words that others use too: a name with one of these is ours only by its first two words. */
const EVERYBODYS = new Set(['NODE', 'PUBLIC', 'LOG', 'SESSION', 'KEY', 'ADDRESS', 'ADMIN', 'MODULE', 'SHELL', 'HOT']);
const OURS = names.flatMap((name) => {
  const [first = '', second, ...rest] = name.split('_');
  if (second === undefined) return [];
  if (!EVERYBODYS.has(first)) return [`${first}_`];
  return rest.length > 0 ? [`${first}_${second}_`] : [`${name}_`];
});

/**
 * Returns names that look like ours but are unknown: misspellings, including a whole name with extra letters.
 * @param known all valid names, which also determine the files of secrets
 */
export function unknownVariables(env: Environment, known: readonly string[] = names): string[] {
  const files = known.filter((name) => table[name]?.secret).map((name) => `${name}_FILE`);
  const all = new Set([...known, ...files]);
  const given = Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== '' && !all.has(name));
  return given.filter((name) => OURS.some((prefix) => name.startsWith(prefix)));
}

/** A problem with a variable; the message follows its name. */
export interface Problem {
  variable: string;
  message: string;
}

/** Formats one sentence per problem. */
export function problemLines(problems: readonly Problem[]): string[] {
  return problems.map(({ variable, message }) => `${variable} ${message}.`);
}

/** Secrets whose files a process reads once, at its start. Auth reads the other files itself, so that they can be renewed while it runs. */
const READ_ONCE: ReadonlySet<string> = new Set(
  SECRET_VARIABLES.filter((name) => !table[name]?.renewed && !table[name]?.made),
);

/**
 * Replaces the names of secret files with their content, without the final newline. SECRETS_DIR stands for
 * NAME_FILE of each secret that has a file of its name in that folder.
 * @param known variables to resolve; a process that reads NAME_FILE itself leaves that one out
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
      // An empty file counts as absent, like an empty variable.
      given[name] = readFileSync(file, 'utf8').trimEnd() || undefined;
      // Removed, so that a second read finds one value, not two.
      delete given[variable];
    } catch {
      problems.push({ variable, message: 'names a file that cannot be read' });
    }
  }
  return { given, problems };
}
