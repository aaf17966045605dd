#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { ROOT, readWorkspaces, withDependents } from './workspaces.mjs';

const USAGE = `npm run affected [-- lint | test | build] [--base REF]
  Names the packages that changed since REF (default: AFFECTED_BASE, else HEAD~1), with those that import them,
  and runs the command for them only.`;

/** Files that bear on every package. */
const EVERYWHERE = /^(package(-lock)?\.json|tsconfig\.json|infra\/build\/)/;

/**
 * The folders of the packages that a set of changed files touches, dependents included.
 * @param {string[]} files paths relative to the root
 */
export function affectedFolders(workspaces, files) {
  const all = [...workspaces.values()];
  if (files.some((file) => EVERYWHERE.test(file))) return all.map(({ dir }) => dir).sort();
  const touched = files.map((file) => owner(all, file)).filter((workspace) => workspace !== undefined);
  const names = new Set(touched.flatMap(({ name }) => [...withDependents(workspaces, name)]));
  return [...names].map((name) => workspaces.get(name).dir).sort();
}

/** The innermost package around a file: shell/sdk/api.ts belongs to shell/sdk, not to shell. */
function owner(all, file) {
  return all
    .filter(({ dir }) => file.startsWith(`${dir}/`))
    .sort((a, b) => b.dir.length - a.dir.length)
    .at(0);
}

function changedFiles(base) {
  const diff = git('diff', '--name-only', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [...new Set([...diff, ...untracked])];
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.split('\n').filter(Boolean);
}

const COMMANDS = {
  lint: (dirs) => ['npx', ['biome', 'check', '--config-path=infra/build/lint.json', ...dirs]],
  test: (dirs) => [
    'npx',
    ['vitest', 'run', '-c', 'infra/build/vitest.config.ts', '--passWithNoTests', ...dirs.map((d) => `${d}/`)],
  ],
  build: (dirs) => {
    const web = dirs.filter((dir) => dir === 'shell' || dir.startsWith('mfe-'));
    return web.length === 0 ? ['node', ['infra/build/build.mjs', '--node']] : ['node', ['infra/build/build.mjs']];
  },
};

function main(args) {
  const baseAt = args.indexOf('--base');
  const base = baseAt >= 0 ? args[baseAt + 1] : (process.env.AFFECTED_BASE ?? 'HEAD~1');
  const [command] = args.filter((arg, at) => !arg.startsWith('--') && (baseAt < 0 || at !== baseAt + 1));
  if (args.includes('--help') || !base || (command && !COMMANDS[command])) {
    console.log(command && !COMMANDS[command] ? `unknown command ${command}\n${USAGE}` : USAGE);
    process.exit(args.includes('--help') ? 0 : 1);
  }
  const dirs = affectedFolders(readWorkspaces(), changedFiles(base));
  console.log(dirs.length === 0 ? `nothing changed since ${base}` : `changed since ${base}: ${dirs.join(' ')}`);
  if (!command || dirs.length === 0) return;
  const [program, programArgs] = COMMANDS[command](dirs);
  process.exit(spawnSync(program, programArgs, { cwd: ROOT, stdio: 'inherit' }).status ?? 1);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
