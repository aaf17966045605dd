import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isProgram } from './is-program.ts';
import { transpilePackages } from './transpile.ts';
import { ROOT, readWorkspaces, type Workspace, type Workspaces, workspaceOf } from './workspaces.ts';

const USAGE = `npx tsx infra/build/pack.ts FOLDER   packs what a team in another repository builds on (npm pack), with types, into FOLDER`;

/** How a package is compiled for others: for Node, for a bundler, or as build code. */
type Program = 'node' | 'web' | 'build';

interface Packed {
  program: Program;
  /** Files and patterns. */
  ships: readonly string[];
  bin?: Readonly<Record<string, string>>;
}

/** Node packages contain JavaScript with types; bundled packages contain sources and styles, with types beside them. */
const PACKAGES: Readonly<Record<string, Packed>> = {
  '@cord/contracts': { program: 'node', ships: ['dist'] },
  '@cord/kit': { program: 'node', ships: ['dist'] },
  '@cord/sdk': { program: 'web', ships: ['**/*'] },
  '@cord/ui': { program: 'web', ships: ['**/*'] },
  '@cord/build': {
    program: 'build',
    ships: ['dist', 'css.d.ts', 'tsconfig.base.json'],
    bin: { 'cord-build': './dist/build-module.js' },
  },
};
/** Files of this folder that build a module outside the repository. The bundler loads the hook and plain JavaScript by path. */
const BUILD_FILES = [
  'rspack.preset.ts',
  'build-module.ts',
  'dev-refresh-hook.ts',
  'narrow-font.mjs',
  'rem.mjs',
  'ui-layer.mjs',
  'subset-font.d.ts',
].map((file) => path.join(import.meta.dirname, file));
const PROGRAMS: Readonly<Record<Program, { config: string; emits: object }>> = {
  node: { config: 'tsconfig.node.json', emits: { emitDeclarationOnly: true } },
  web: { config: 'tsconfig.web.json', emits: { emitDeclarationOnly: true } },
  build: { config: 'tsconfig.node.json', emits: { rewriteRelativeImportExtensions: true } },
};
const NOT_SHIPPED = ['!**/node_modules', '!**/*.test.*', '!**/*.stories.*', '!**/.build.json', '!dist/**/*.map'];

/**
 * Packs the packages that modules and services outside this repository need.
 * @param folder for the archives
 * @returns the archive of each package, by its name
 * @throws {Error} with the compiler's or npm's message
 */
export async function packPackages(folder: string): Promise<Record<string, string>> {
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(path.join(tmpdir(), 'cord-pack-'));
  try {
    const workspaces = readWorkspaces();
    await transpilePackages({ packages: foldersOf('node', workspaces) });
    for (const program of Object.keys(PROGRAMS) as Program[]) emit(program, draft, workspaces);
    return Object.fromEntries(
      Object.entries(PACKAGES).map(([name, packed]) => [
        name,
        packOne(workspaceOf(workspaces, name), packed, draft, path.resolve(folder)),
      ]),
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function foldersOf(program: Program, workspaces: Workspaces): string[] {
  const names = Object.keys(PACKAGES).filter((name) => PACKAGES[name]?.program === program);
  return names.map((name) => workspaceOf(workspaces, name).dir);
}

/** Compiles all packages of a program at once, each into its own folder: declarations, and the code of the build. */
function emit(program: Program, draft: string, workspaces: Workspaces): void {
  const sources = foldersOf(program, workspaces).map((dir) => path.join(ROOT, dir, '**/*'));
  const config = path.join(draft, `tsconfig.${program}.json`);
  const options = {
    extends: path.join(ROOT, PROGRAMS[program].config),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, ...PROGRAMS[program].emits },
      ...{ rootDir: ROOT, outDir: path.join(draft, 'types'), typeRoots: [path.join(ROOT, 'node_modules/@types')] },
    },
    include: [...(program === 'build' ? BUILD_FILES : sources), path.join(import.meta.dirname, 'css.d.ts')],
    exclude: ['**/dist', '**/node_modules', '**/test', '**/*.test.ts', '**/*.test.tsx', '**/*.stories.tsx'].map((one) =>
      path.join(ROOT, one),
    ),
  };
  writeFileSync(config, JSON.stringify(options));
  run(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
}

function packOne({ dir }: Workspace, packed: Packed, draft: string, folder: string): string {
  const place = path.join(draft, 'packages', dir);
  const { program } = packed;
  const isCopied = (file: string) =>
    !/(^|\/)(node_modules|\.[^/]+)$/.test(file) && !(program === 'web' && file.endsWith('/dist'));
  cpSync(path.join(ROOT, dir), place, { recursive: true, filter: isCopied });
  cpSync(path.join(draft, 'types', dir), path.join(place, 'dist'), { recursive: true });
  if (program === 'build') cpSync(path.join(ROOT, 'tsconfig.json'), path.join(place, 'tsconfig.base.json'));
  const manifest: Manifest = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  writeFileSync(path.join(place, 'package.json'), JSON.stringify(publicManifest(manifest, packed), null, 2));
  const output = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], place);
  return path.join(folder, JSON.parse(output)[0].filename);
}

/** Target of a subpath, perhaps by condition. */
type Target = string | Record<string, string>;

interface Manifest {
  name: string;
  exports: Record<string, Target>;
  private?: boolean;
  scripts?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Returns the public package.json: without private fields, and with types beside the code. */
export function publicManifest(
  { private: _private, scripts: _scripts, devDependencies: _dev, ...manifest }: Manifest,
  { program, ships, bin }: Packed,
) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([subpath, target]) => [subpath, publicTarget(target, program)]),
  );
  return { ...manifest, ...(bin && { bin }), exports, files: [...ships, ...NOT_SHIPPED] };
}

/** Returns the public target of a subpath, without the condition `source` of this repository. */
function publicTarget(target: Target, program: Program): Target {
  if (typeof target === 'object') {
    const { source: _source, ...kept } = target;
    return kept;
  }
  const compiled = target.replace(/^\.\//, './dist/').replace(/\.tsx?$/, '');
  if (program === 'web') return { types: `${compiled}.d.ts`, default: target };
  if (program === 'build' && target.endsWith('.ts')) return { types: `${compiled}.d.ts`, default: `${compiled}.js` };
  return target;
}

function run(command: string, args: readonly string[], cwd = ROOT): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

if (isProgram(import.meta.filename)) {
  const [folder, ...others] = process.argv.slice(2);
  if (!folder || others.length > 0) {
    console.error(USAGE);
    process.exit(1);
  }
  for (const archive of Object.values(await packPackages(folder))) console.log(archive);
}
