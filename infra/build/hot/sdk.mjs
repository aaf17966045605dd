/** In the place of `@cord/sdk` in a module that stands in a built shell: the shell's own, but its page is shown by one that stays. */
import { lifecycles as lifecyclesOf } from '@cord/sdk';
import { placeOf } from './places.mjs';

export * from '@cord/sdk';

export const page = placeOf('The page');
/** Made once: what is mounted knows its root by it, however often the page is evaluated. */
export const pageLifecycles = lifecyclesOf(page.Shown);

export function lifecycles(Page) {
  page.show(Page);
  return pageLifecycles;
}
