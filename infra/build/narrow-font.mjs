// @ts-check
// Plain JavaScript: the bundler loads it by its path, in processes that cannot read TypeScript.
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

/** @type {Record<string, string>} */
const unicodeRanges = createRequire(import.meta.url)('@fontsource-variable/archivo/unicode.json');

/** Weights and widths (percent) used by styles, and 700 for a browser's own bold. */
export const FONT_AXES = { wght: { min: 400, max: 700 }, wdth: { min: 100, max: 125 } };

/** The loader gets the font as bytes. */
export const raw = true;

/**
 * A loader for the variable font: keeps the used range of weights and widths, 6/10 of the file, and every letter. A
 * page's first picture waits for this file.
 * @this {{resourcePath: string}}
 * @param {Buffer} font
 * @returns {Promise<Buffer>}
 * @throws {Error} naming a file that is not a script of the font
 */
export default async function narrowFont(font) {
  const [, script] = /^archivo-([\w-]+)-wdth-/.exec(path.basename(this.resourcePath)) ?? [];
  const ranges = unicodeRanges[script ?? ''];
  if (ranges === undefined) throw new Error(`${this.resourcePath}: unknown script of the font`);
  return subsetFont(font, lettersOf(ranges), { targetFormat: 'woff2', variationAxes: FONT_AXES });
}

/** Returns every letter of CSS unicode ranges like `U+0000-00FF,U+0131`. @param {string} ranges */
function lettersOf(ranges) {
  const letters = ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range
      .replace('U+', '')
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));
  });
  return letters.join('');
}
