/** In the place of `react/jsx-dev-runtime` in a module that stands in a built shell: the shell's own, with the module's components by their stand-ins. */
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { shownFor } from './runtime.mjs';

export { Fragment };

export function jsxDEV(type, props, key, hasStaticChildren) {
  const make = hasStaticChildren ? jsxs : jsx;
  return make(shownFor(type), props, key);
}
