import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SHARED_ENTRIES } from './shared.mjs';
import { parsed } from './syntax.mjs';

/** What a module may expose (infra/deploy/checks/build.ts). */
const ROOTS = ['./page', './parts'];

/** The federation runtime that a build made here takes from the shell. */
const { dependencies } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'));

/**
 * What a module takes of the shell at run time: by name what its page and parts import of the sdk and of the design system, and the range of the
 * federation runtime that it was built for. It stands in the manifest, and a shell that lacks any of it refuses the module before it runs.
 * @typedef {{sdk: string[], ui: string[], runtime: string}} Surface
 * @param {string} dir the module's folder
 * @returns {Surface}
 */
export function surfaceOf(dir) {
  const taken = { sdk: new Set(), ui: new Set() };
  const files = new Set(ROOTS.flatMap((root) => fileOf(dir, root)));
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    const taking = takenIn(file, source);
    for (const { from } of taking) for (const next of fileOf(path.dirname(file), from)) files.add(next);
    for (const { from, name, isType } of taking) {
      const names = taken[SHARED_ENTRIES[from]];
      if (isType || name === undefined || names === undefined) continue;
      if (name === null) throw new Error(`${file}: name what it takes of ${from}`);
      names.add(name);
    }
  }
  const [sdk, ui] = [taken.sdk, taken.ui].map((names) => [...names].sort());
  return { sdk, ui, runtime: `^${dependencies['@module-federation/enhanced']}` };
}

/**
 * What a file imports, or exports on, at once or later.
 * @returns {{from: string, name?: string | null, isType?: boolean}[]} `name` is null for all or the default
 */
function takenIn(file, source) {
  const { staticImports, staticExports, dynamicImports } = parsed(file, source).module;
  const entries = [...staticImports, ...staticExports].flatMap((statement) =>
    statement.entries.map((entry) => ({ from: (entry.moduleRequest ?? statement.moduleRequest)?.value, ...entry })),
  );
  const later = dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  return [
    ...[...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...later].map((from) => ({ from })),
    ...entries
      .filter(({ from }) => from !== undefined)
      .map(({ from, importName, isType }) => ({
        from,
        name: importName.kind === 'Name' ? importName.name : null,
        isType,
      })),
  ];
}

/** The file behind a specifier that goes into the module; nothing for what comes from elsewhere. */
function fileOf(folder, specifier) {
  if (!specifier.startsWith('.')) return [];
  const base = path.resolve(folder, specifier);
  return [`${base}.ts`, `${base}.tsx`].filter((file) => existsSync(file));
}
