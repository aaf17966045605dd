#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transpilePackages } from './transpile.mjs';
import { ROOT, readWorkspaces } from './workspaces.mjs';

const USAGE = `node infra/build/pack.mjs FOLDER   packs what a team elsewhere builds on (npm pack), with types, into FOLDER`;

/** Who runs on Node brings JavaScript; who is bundled brings its sources, as its styles are. All bring types. */
const PACKAGES = {
  '@cord/contracts': { program: 'node', ships: ['dist', 'proof/verify.mjs'] },
  '@cord/kit': { program: 'node', ships: ['dist'] },
  '@cord/sdk': { program: 'web', ships: ['**/*'] },
  '@cord/ui': { program: 'web', ships: ['**/*'] },
  '@cord/build': { program: null, ships: ['*.mjs', '*.d.ts', '*.d.mts', 'tsconfig.base.json'] },
};
const PROGRAMS = { node: 'tsconfig.node.json', web: 'tsconfig.web.json' };
const NOT_SHIPPED = ['!**/node_modules', '!**/*.test.*', '!**/*.stories.*', '!**/.build.json', '!dist/**/*.map'];

/**
 * Packs the packages that modules and services of another repository stand on.
 * @param {string} folder where the archives go
 * @returns {Promise<Record<string, string>>} the archive of each package, by its name
 * @throws {Error} with the compiler's or npm's message
 */
export async function packPackages(folder) {
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(path.join(tmpdir(), 'cord-pack-'));
  try {
    const workspaces = readWorkspaces();
    const dirs = Object.keys(PACKAGES).map((name) => workspaces.get(name).dir);
    await transpilePackages({ packages: dirs.filter((dir) => dir.startsWith('services/')) });
    for (const program of Object.keys(PROGRAMS)) emitTypes(program, draft, workspaces);
    return Object.fromEntries(
      Object.keys(PACKAGES).map((name) => [name, packOne(workspaces.get(name), draft, path.resolve(folder))]),
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The declarations of all packages of a program at once, each below its own folder. */
function emitTypes(program, draft, workspaces) {
  const names = Object.keys(PACKAGES).filter((name) => PACKAGES[name].program === program);
  const config = path.join(draft, `tsconfig.${program}.json`);
  const options = {
    extends: path.join(ROOT, PROGRAMS[program]),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
      ...{ rootDir: ROOT, outDir: path.join(draft, 'types'), typeRoots: [path.join(ROOT, 'node_modules/@types')] },
    },
    include: [
      ...names.map((name) => path.join(ROOT, workspaces.get(name).dir, '**/*')),
      path.join(ROOT, 'infra/build/css.d.ts'),
    ],
    exclude: ['**/dist', '**/node_modules', '**/*.test.ts', '**/*.test.tsx', '**/*.stories.tsx'].map((one) =>
      path.join(ROOT, one),
    ),
  };
  writeFileSync(config, JSON.stringify(options));
  run(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
}

function packOne({ name, dir }, draft, folder) {
  const place = path.join(draft, 'packages', dir);
  const { program, ships } = PACKAGES[name];
  const skip = (file) => !/(^|\/)(node_modules|\.[^/]+)$/.test(file) && !(program === 'web' && file.endsWith('/dist'));
  cpSync(path.join(ROOT, dir), place, { recursive: true, filter: skip });
  if (program) cpSync(path.join(draft, 'types', dir), path.join(place, 'dist'), { recursive: true });
  if (name === '@cord/build') cpSync(path.join(ROOT, 'tsconfig.json'), path.join(place, 'tsconfig.base.json'));
  const manifest = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  writeFileSync(path.join(place, 'package.json'), JSON.stringify(publicManifest(manifest, program, ships), null, 2));
  const output = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], place);
  return path.join(folder, JSON.parse(output)[0].filename);
}

/**
 * A package.json for others: nothing that only this repository has, and types beside what is run or bundled.
 * @param {Record<string, any>} manifest @param {string | null | undefined} program @param {string[]} ships
 */
export function publicManifest(
  { private: _private, scripts: _scripts, devDependencies: _dev, ...manifest },
  program,
  ships,
) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([subpath, target]) => [subpath, publicTarget(target, program)]),
  );
  return { ...manifest, exports, files: [...ships, ...NOT_SHIPPED] };
}

/** Where a subpath leads; the condition `source` is for this repository alone. */
function publicTarget(target, program) {
  if (typeof target === 'object') {
    const { source: _source, ...kept } = target;
    return kept;
  }
  if (program !== 'web') return target;
  return { types: target.replace(/^\.\//, './dist/').replace(/(\.tsx?)?$/, '.d.ts'), default: target };
}

function run(command, args, cwd = ROOT) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

if (process.argv[1] === import.meta.filename) {
  const [folder, ...others] = process.argv.slice(2);
  if (!folder || others.length > 0) {
    console.error(USAGE);
    process.exit(1);
  }
  for (const archive of Object.values(await packPackages(folder))) console.log(archive);
}
