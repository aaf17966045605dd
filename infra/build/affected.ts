import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { webPackages } from './built.ts';
import { git } from './git.ts';
import { type Lock, lockChanges } from './lock-graph.ts';
import { ROOT, readWorkspaces, withDependents } from './workspaces.ts';

/** The workspace packages. */
type Workspaces = ReturnType<typeof readWorkspaces>;

/** Files that affect every package: its build, checks and tests. */
const EVERYWHERE =
  /^((package|biome|tsconfig(\.\w+)?)\.json|vitest\.config\.ts|infra\/build\/.*|infra\/test\/[^/]+\.(ts|mjs))$/;
const LOCK = 'package-lock.json';

/**
 * Returns the folders of the packages affected by changed files, dependents included.
 * @param files paths relative to the root
 * @param locks both lock files, parsed; called when the lock file changed
 */
export function affectedFolders(
  workspaces: Workspaces,
  files: readonly string[],
  locks: () => { before: Lock; after: Lock },
): string[] {
  const all = [...workspaces.values()];
  const dirs = all.map(({ dir }) => dir).sort();
  if (files.some((file) => EVERYWHERE.test(file))) return dirs;
  const touched = files.map((file) => owner(all, file)).filter((workspace) => workspace !== undefined);
  const names = new Set(touched.flatMap(({ name }) => [...withDependents(workspaces, name)]));
  const affected = new Set([...names].flatMap((name) => workspaces.get(name)?.dir ?? []));
  if (files.includes(LOCK)) {
    const { before, after } = locks();
    for (const dir of lockChanges(before, after, dirs)) affected.add(dir);
  }
  return [...affected].sort();
}

/** Returns the innermost package of a file: shell/sdk/api.ts belongs to shell/sdk, not to shell. */
function owner(all: { name: string; dir: string }[], file: string) {
  return all
    .filter(({ dir }) => file.startsWith(`${dir}/`))
    .sort((a, b) => b.dir.length - a.dir.length)
    .at(0);
}

/**
 * Returns the files that differ from a commit, including deleted and new ones.
 * @param root of the checkout
 * @returns paths relative to it
 * @throws {Error} when git does not know the commit
 */
export function changedFiles(base: string, root = ROOT): string[] {
  // Unquoted names; for a moved file also its old path.
  const changed = git(root, 'diff', '--name-only', '--no-renames', '-z', base, '--');
  const added = git(root, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set(`${changed}${added}`.split('\0').filter(Boolean))];
}

function locksSince(base: string) {
  return {
    before: JSON.parse(git(ROOT, 'show', `${base}:${LOCK}`)),
    after: JSON.parse(readFileSync(path.join(ROOT, LOCK), 'utf8')),
  };
}

/** Commands for packages. */
export type Command = 'lint' | 'types' | 'test' | 'build';

/** Node's arguments for the folders, run one after the other. */
const COMMANDS: Record<Command, (dirs: string[]) => string[][]> = {
  lint: (dirs) => [['infra/test/lint.mjs', ...dirs]],
  types: (dirs) => [['--import', 'tsx', 'infra/test/typecheck.ts', ...dirs]],
  test: (dirs) => [['infra/test/run.mjs', '--of', ...dirs]],
  build: (dirs) => {
    const web = webPackages().map(({ dir }) => dir);
    const affected = dirs.filter((dir) => web.includes(dir));
    return [
      ['infra/build/build.mjs', '--node'],
      ...(affected.length > 0 ? [['infra/build/build.mjs', '--web', ...affected]] : []),
    ];
  },
};

/**
 * Names the packages that changed since a commit, with their dependents, and runs a command for them.
 * @param command names them only if undefined
 * @param base a commit
 * @returns the exit code
 * @throws {Error} when git does not know the commit
 */
export function runAffected(command: Command | undefined, base: string): number {
  const dirs = affectedFolders(readWorkspaces(), changedFiles(base), () => locksSince(base));
  console.log(dirs.length === 0 ? `nothing changed since ${base}` : `changed since ${base}: ${dirs.join(' ')}`);
  if (!command || dirs.length === 0) return 0;
  const failed = COMMANDS[command](dirs).some(
    (given) => spawnSync(process.execPath, given, { cwd: ROOT, stdio: 'inherit' }).status !== 0,
  );
  return failed ? 1 : 0;
}
