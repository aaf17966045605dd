import { withoutLayout } from '@cord/ui/testing';
import { vi } from 'vitest';

/** What jsdom lacks of a browser: media queries (of a window this wide, under a hand that hovers or touches), scrolling, and a layout to observe. */
export function browserOf({ widthPx, touch = false }: { widthPx: number; touch?: boolean }): void {
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, least] = /min-width: (\d+)px/.exec(query) ?? [];
    return {
      matches: least !== undefined && widthPx >= Number(least) && !(touch && query.includes('hover: hover')),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    };
  });
  withoutLayout();
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
}
