/** What a module exposes as `./page` in a built shell: its own, which may change and fail while it is mounted. */
import { throwing } from './places.mjs';
import { performReactRefresh } from './runtime.mjs';
import { page, pageLifecycles } from './sdk.mjs';

async function newest() {
  try {
    return await import(/* webpackMode: "eager" */ 'cord-module/page');
  } catch (error) {
    page.show(throwing(error));
    return pageLifecycles;
  }
}

export const { bootstrap, mount, hide, unmount } = await newest();

import.meta.webpackHot.accept('cord-module/page', () => newest().then(performReactRefresh));
