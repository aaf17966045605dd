import { withoutLayout } from '@cord/ui/testing';
import { configure } from '@testing-library/react';
import { vi } from 'vitest';

// Bundles of the shell are compiled when they are first imported, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

/** What jsdom lacks of a browser: media queries (of a window this wide), scrolling, and a layout to observe. */
export function browserOf({ widthPx }: { widthPx: number }): void {
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, least] = /min-width: (\d+)px/.exec(query) ?? [];
    return {
      matches: least !== undefined && widthPx >= Number(least),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    };
  });
  withoutLayout();
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
}
