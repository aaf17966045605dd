import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isProgram } from './is-program.ts';
import { transpilePackages } from './transpile.ts';
import { ROOT, readWorkspaces, type Workspace, type Workspaces, workspaceOf } from './workspaces.ts';

const USAGE = `npx tsx infra/build/pack.ts FOLDER   packs what a team elsewhere builds on (npm pack), with types, into FOLDER`;

/** How a package is compiled for others: as it runs on Node, as it is bundled, as it builds. */
type Program = 'node' | 'web' | 'build';

interface Packed {
  program: Program;
  /** Files, and patterns of them. */
  ships: readonly string[];
  bin?: Readonly<Record<string, string>>;
}

/** What runs on Node is JavaScript, with its types; what is bundled is sources, as its styles are, with types beside them. */
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
/** What of this folder a module elsewhere is built with. The bundler loads the hook and what is plain JavaScript by their paths. */
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
 * Packs the packages that modules and services of another repository stand on.
 * @param folder where the archives go
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

/** What the compiler makes of all packages of a program at once, each below its own folder: declarations, and of the build its code. */
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

/** Where a subpath leads, by condition where there are some. */
type Target = string | Record<string, string>;

interface Manifest {
  name: string;
  exports: Record<string, Target>;
  private?: boolean;
  scripts?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** A package.json for others: nothing that only this repository has, and types beside what is run or bundled. */
export function publicManifest(
  { private: _private, scripts: _scripts, devDependencies: _dev, ...manifest }: Manifest,
  { program, ships, bin }: Packed,
) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([subpath, target]) => [subpath, publicTarget(target, program)]),
  );
  return { ...manifest, ...(bin && { bin }), exports, files: [...ships, ...NOT_SHIPPED] };
}

/** Where a subpath leads; the condition `source` is for this repository alone. */
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
