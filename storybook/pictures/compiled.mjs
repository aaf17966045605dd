import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Where the design system lies. */
export const UI = new URL('../ui/', import.meta.url);

/** The exports of a TypeScript file of the design system that imports nothing, e.g. `identity/logoPaths.ts`. */
export function compiled(file) {
  const { outputText } = ts.transpileModule(readFileSync(new URL(file, UI), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}
