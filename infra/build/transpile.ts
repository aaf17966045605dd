import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { experiments } from '@rspack/core';
import { sourceFiles } from './source-files.ts';
import { ROOT } from './workspaces.ts';

/** Packages for Node, each with its own `dist`. rspack builds the web packages. */
export const NODE_PACKAGES = [
  'services/contracts',
  'services/kit',
  'services/auth',
  'services/mining',
  'services/tasks',
  'services/referrals',
  'services/rewards',
  'services/leaderboard',
  'services/notices',
  'infra/deploy',
  'infra/gateway',
  'infra/embedded-mongo',
  'infra/dev',
  'infra/audit',
];

/** `starter` and `backup` of infra/dev run by tsx: they run before the build. */
const SOURCES = ['**/*.ts', '!**/*.{test,d}.ts', '!**/{test,starter,backup}/**'];
const OPTIONS = {
  sourceMaps: true,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript' },
    transform: { verbatimModuleSyntax: true },
  },
  module: { type: 'es6' },
} as const;

/**
 * Transpiles the Node packages file by file, with rspack's compiler. `npm run typecheck` checks the types. Transpiling
 * everything is faster than finding changes. Unchanged output is not written again, so that watchers of `dist` see
 * changes only.
 * @returns the number of files written
 * @throws {Error} with the compiler's message and the file's path when a file does not parse
 */
export async function transpilePackages({ root = ROOT, packages = NODE_PACKAGES } = {}): Promise<number> {
  const written = await Promise.all([
    ...packages.map((dir) => transpilePackage(path.join(root, dir))),
    packages.includes('services/contracts') ? bundleVerifier(root) : 0,
  ]);
  return written.reduce((sum, count) => sum + count, 0);
}

/** Bundles the verifier into one file. The bundler is a large import, so other packages skip it. */
async function bundleVerifier(root: string): Promise<number> {
  const { writeVerifier } = await import('./verifier.ts');
  return Number(await writeVerifier(root));
}

async function transpilePackage(folder: string): Promise<number> {
  const dist = path.join(folder, 'dist');
  const sources = sourceFiles(SOURCES, folder);
  const written = await Promise.all(sources.map((source) => transpileFile(folder, dist, source)));
  await removeOrphans(dist, new Set(sources.map((source) => source.replace(/\.ts$/, '.js'))));
  return written.filter(Boolean).length;
}

/** @returns whether the output changed */
async function transpileFile(folder: string, dist: string, source: string): Promise<boolean> {
  const target = path.join(dist, source.replace(/\.ts$/, '.js'));
  const file = path.join(folder, source);
  const { code, map } = await compile(file);
  const text = `${code}//# sourceMappingURL=${path.basename(target)}.map\n`;
  if ((await readFile(target, 'utf8').catch(() => undefined)) === text) return false;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(`${target}.map`, portable(map ?? '{}', path.relative(path.dirname(target), file)));
  await writeFile(target, text);
  return true;
}

async function compile(file: string): Promise<{ code: string; map?: string }> {
  try {
    return await experiments.swc.transform(await readFile(file, 'utf8'), { ...OPTIONS, filename: file });
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Makes a source map portable: a relative source path, and no copy of the source. */
function portable(map: string, source: string): string {
  const { sourcesContent: _copy, ...rest } = JSON.parse(map);
  return JSON.stringify({ ...rest, sources: [source.replaceAll('\\', '/')] });
}

/** Deletes the output of deleted sources, which imports would still find. */
async function removeOrphans(dist: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const file of sourceFiles('**/*.js{,.map}', dist)) {
    const made = file.replace(/\.map$/, '');
    if (!wanted.has(made)) await rm(path.join(dist, file));
  }
}
