import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { SHARED_ENTRIES } from './shared.ts';
import { parsed } from './syntax.ts';

/** Files that a module may expose (infra/deploy/checks/build.ts). */
const ROOTS = ['./page', './parts'];

/** Range of the federation runtime that a build uses from the shell. Found by the package's name, since packed code is in its dist. */
const { dependencies }: { dependencies: Record<string, string> } = createRequire(import.meta.url)(
  '@cord/build/package.json',
);

/**
 * A module's runtime imports from the shell: names imported from sdk and design system, and the range of the federation
 * runtime. The manifest has it, and a shell that lacks any of it refuses the module before it runs.
 */
export interface Surface {
  sdk: string[];
  ui: string[];
  runtime: string;
}

/** An import or re-export of a file. */
interface Import {
  from: string;
  /** Null for all exports or the default; undefined when only the file matters. */
  name?: string | null;
  isType?: boolean;
}

/**
 * @param dir the module's folder
 * @throws {Error} naming a file that imports the whole sdk or design system
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
      if (name === null) throw new Error(`${file}: name each import from ${from}`);
      taken[shared].add(name);
    }
  }
  return {
    sdk: [...taken.sdk].sort(),
    ui: [...taken.ui].sort(),
    runtime: `^${dependencies['@module-federation/enhanced']}`,
  };
}

/** Returns a file's imports and re-exports, static or dynamic. */
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

/** Returns the module's file for a specifier; empty for anything outside the module. */
function fileOf(folder: string, specifier: string): string[] {
  if (!specifier.startsWith('.')) return [];
  const base = path.resolve(folder, specifier);
  // As the bundler resolves it (rspack.preset.ts).
  const places = [base.replace(/\.(js|tsx?)$/, ''), path.join(base, 'index')];
  return places.flatMap((place) => [`${place}.ts`, `${place}.tsx`]).filter((file) => existsSync(file));
}
