import type { TabView } from '@cord/sdk';
import type { MouseEvent } from 'react';

/** A link that opens one of a list in this page; with a key held it opens as the browser does. */
export function linkTo(view: TabView, id: string) {
  return {
    href: view.hrefOf(id),
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      view.open(id);
    },
  };
}
