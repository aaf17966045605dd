import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { SHARED_ENTRIES } from './shared.mjs';

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
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true, kind);
    for (const specifier of specifiersIn(source))
      for (const next of fileOf(path.dirname(file), specifier)) files.add(next);
    for (const statement of source.statements) take(statement, taken, file);
  }
  const [sdk, ui] = [taken.sdk, taken.ui].map((names) => [...names].sort());
  return { sdk, ui, runtime: `^${dependencies['@module-federation/enhanced']}` };
}

/** Notes the values that a statement imports, or exports on, of what is shared. */
function take(statement, taken, file) {
  const from = statement.moduleSpecifier?.text;
  const names = taken[SHARED_ENTRIES[from]];
  if (names === undefined) return;
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
  const bindings = clause?.namedBindings ?? clause?.exportClause;
  if (clause?.isTypeOnly) return;
  if (!bindings || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
    throw new Error(`${file}: name what it takes of ${from}`);
  for (const { name, propertyName, isTypeOnly } of bindings.elements)
    if (!isTypeOnly) names.add((propertyName ?? name).text);
}

/** What a file imports at once or later. */
function specifiersIn(source) {
  return ts.preProcessFile(source.text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The file behind a specifier that goes into the module; nothing for what comes from elsewhere. */
function fileOf(folder, specifier) {
  if (!specifier.startsWith('.')) return [];
  const base = path.resolve(folder, specifier);
  return [`${base}.ts`, `${base}.tsx`].filter((file) => existsSync(file));
}
