import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { SHARED_ENTRIES } from './shared.ts';
import { parsed } from './syntax.ts';

/** What a module may expose (infra/deploy/checks/build.ts). */
const ROOTS = ['./page', './parts'];

/** The federation runtime that a build takes from the shell; by the package's name, since what is packed for others lies in its dist. */
const { dependencies }: { dependencies: Record<string, string> } = createRequire(import.meta.url)(
  '@cord/build/package.json',
);

/**
 * What a module takes of the shell at run time: by name what its page and parts import of the sdk and of the design system, and the range of the
 * federation runtime that it was built for. It stands in the manifest, and a shell that lacks any of it refuses the module before it runs.
 */
export interface Surface {
  sdk: string[];
  ui: string[];
  runtime: string;
}

/** What a file imports, or exports on. */
interface Import {
  from: string;
  /** Null for all of it or the default; undefined where only the file is of interest. */
  name?: string | null;
  isType?: boolean;
}

/**
 * @param dir the module's folder
 * @throws {Error} naming a file that imports all of the sdk or of the design system
 */
export function surfaceOf(dir: string): Surface {
  const taken = { sdk: new Set<string>(), ui: new Set<string>() };
  const files = new Set(ROOTS.flatMap((root) => fileOf(dir, root)));
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    const taking = takenIn(file, source);
    for (const { from } of taking) for (const next of fileOf(path.dirname(file), from)) files.add(next);
    for (const { from, name, isType } of taking) {
      const shared = SHARED_ENTRIES[from];
      if (isType || name === undefined || shared === undefined) continue;
      if (name === null) throw new Error(`${file}: name what it takes of ${from}`);
      taken[shared].add(name);
    }
  }
  return {
    sdk: [...taken.sdk].sort(),
    ui: [...taken.ui].sort(),
    runtime: `^${dependencies['@module-federation/enhanced']}`,
  };
}

/** What a file imports, or exports on, at once or later. */
function takenIn(file: string, source: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parsed(file, source).module;
  const imported = staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName, isType }) => ({ from: moduleRequest.value, importName, isType })),
  );
  const exported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName, isType }) =>
      moduleRequest ? { from: moduleRequest.value, importName, isType } : [],
    ),
  );
  const later = dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  return [
    ...[...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...later].map((from) => ({ from })),
    ...[...imported, ...exported].map(({ from, importName, isType }) => ({
      from,
      name: importName.kind === 'Name' ? importName.name : null,
      isType,
    })),
  ];
}

/** The file behind a specifier that goes into the module; nothing for what comes from elsewhere. */
function fileOf(folder: string, specifier: string): string[] {
  if (!specifier.startsWith('.')) return [];
  const base = path.resolve(folder, specifier);
  // As the bundler resolves it (rspack.preset.ts).
  const places = [base.replace(/\.(js|tsx?)$/, ''), path.join(base, 'index')];
  return places.flatMap((place) => [`${place}.ts`, `${place}.tsx`]).filter((file) => existsSync(file));
}
