// @ts-check
// Plain JavaScript: the bundler loads it by its path, in processes that cannot read TypeScript.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the design system's own styles. */
const UI_FOLDER = path.dirname(fileURLToPath(import.meta.resolve('@cord/ui/tokens.css')));

/**
 * The rule of a bundler by which the design system's components stand in the cascade layer `ui`, above `base` (base.css) and below
 * everything that is in none: what a caller's class sets of a component so always holds, in whichever order the files of styles
 * come to the page. Which one comes first is the visitor's way through it, and a module's build knows nothing of the shell's.
 * @type {import('@rspack/core').RuleSetRule}
 */
export const uiLayerRule = {
  test: /\.module\.css$/,
  include: UI_FOLDER,
  enforce: 'pre',
  loader: import.meta.filename,
};

/** The loader of that rule; adds no lines, so that source maps stay valid. @param {string} css @returns {string} */
export default function inUiLayer(css) {
  return `@layer ui { ${css} }`;
}
