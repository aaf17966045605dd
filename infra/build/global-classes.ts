import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Style sheets of the design system with global classes: part of the page, used by modules. */
const SHEETS = ['reset.css', 'type.css', 'layout.css', 'tones.css'];
/** Excludes files of components that no page shows. */
export const NOT_SHOWN = '!**/*.{test,stories,fixtures,stage}.tsx';
const NAMED = /['"]([tcl]-[a-z0-9]+(?: [tcl]-[a-z0-9]+)*)['"]/g;
const COMPOSED = /composes:\s*([^;]+?) from global;/g;

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '');

/**
 * Returns the global classes of the design system.
 * @param dir its folder
 * @returns sorted, as `l-row`
 */
export function globalClasses(dir: string): string[] {
  const sheets = SHEETS.map((name) => withoutComments(readFileSync(path.join(dir, name), 'utf8'))).join('');
  return [...new Set([...sheets.matchAll(/\.([tcl]-[a-z0-9]+)(?![\w-])/g)].map(([, name = '']) => name))].sort();
}

/** Returns the global classes in a file: string literals of code, or `composes` in a CSS Module. */
export function classesNamedIn(file: string): string[] {
  const text = withoutComments(readFileSync(file, 'utf8'));
  const names = [...text.matchAll(file.endsWith('.css') ? COMPOSED : NAMED)];
  return names.flatMap(([, each = '']) => each.split(/\s+/));
}
