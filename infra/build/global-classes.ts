import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The style sheets of the design system whose classes are for all: the page brings them, and modules name or compose them. */
const SHEETS = ['reset.css', 'type.css', 'layout.css', 'tones.css'];
/** Pattern of components that no page shows. */
export const NOT_SHOWN = '!**/*.{test,stories,fixtures,stage}.tsx';
const NAMED = /['"]([tcl]-[a-z0-9]+(?: [tcl]-[a-z0-9]+)*)['"]/g;
const COMPOSED = /composes:\s*([^;]+?) from global;/g;

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '');

/**
 * The classes for all that the design system has.
 * @param dir its folder
 * @returns sorted, as `l-row`
 */
export function globalClasses(dir: string): string[] {
  const sheets = SHEETS.map((name) => withoutComments(readFileSync(path.join(dir, name), 'utf8'))).join('');
  return [...new Set([...sheets.matchAll(/\.([tcl]-[a-z0-9]+)(?![\w-])/g)].map(([, name = '']) => name))].sort();
}

/** Those that a file names: code in a text of its own, a CSS Module as what it composes. */
export function classesNamedIn(file: string): string[] {
  const text = withoutComments(readFileSync(file, 'utf8'));
  const names = [...text.matchAll(file.endsWith('.css') ? COMPOSED : NAMED)];
  return names.flatMap(([, each = '']) => each.split(/\s+/));
}
