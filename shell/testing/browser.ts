import { withoutLayout } from '@cord/ui/testing';
import { vi } from 'vitest';

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
