import { readFileSync } from 'node:fs';
import { withoutTypes } from '@cord/build/syntax.mjs';

/** Where the design system lies. */
export const UI = new URL('../ui/', import.meta.url);

/** What is drawn in pages and in pictures alike. */
const DRAWING = new URL('../../services/contracts/drawing/', import.meta.url);

/** The exports of a file of the drawing, e.g. `logo.ts`: they import nothing. */
export function compiled(file) {
  const code = withoutTypes(file, readFileSync(new URL(file, DRAWING), 'utf8'));
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
