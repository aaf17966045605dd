// @ts-check
// Plain JavaScript, like ui-layer.mjs.
import { transform } from 'lightningcss';

/** Default font size of browsers, px; the value of 1rem, also in media queries. */
const REM_PX = 16;
/** Lengths below this are lines and rings, px; they stay in px. */
const SHORTEST_PX = 4;

/**
 * The rule of a bundler by which sizes follow the font size that a person sets in the browser: styles are written in px, and
 * built in rem. At 16 px nothing differs, since every 1/16 is exact.
 * @type {import('@rspack/core').RuleSetRule}
 */
export const remRule = { test: /\.css$/, enforce: 'pre', loader: import.meta.filename };

/** The loader of that rule. @this {Pick<import('@rspack/core').LoaderContext, 'resourcePath' | 'sourceMap' | 'callback'>} @param {string} css */
export default function inRem(css) {
  // Strokes use the units of their drawing, which is scaled as a whole.
  let isStroke = false;
  const { code, map } = transform({
    filename: this.resourcePath,
    code: Buffer.from(css),
    sourceMap: this.sourceMap,
    visitor: {
      Declaration: ({ property }) => {
        isStroke = property.startsWith('stroke');
      },
      DeclarationExit: () => {
        isStroke = false;
      },
      Length: ({ unit, value }) =>
        unit === 'px' && Math.abs(value) >= SHORTEST_PX && !isStroke
          ? { unit: 'rem', value: value / REM_PX }
          : undefined,
    },
  });
  this.callback(null, code.toString(), map?.toString());
}
