import { screen, waitFor } from '@testing-library/react';
import type { userEvent } from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { REM_PX } from '../rem';

/** jsdom has no layout; popovers and lists only observe it. */
export function withoutLayout(): void {
  class NoObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', NoObserver);
  vi.stubGlobal('IntersectionObserver', NoObserver);
}

/** Adds features that jsdom lacks: media queries (for a width, and a pointer that hovers or touches), scrolling, and layout observers. */
export function browserOf({ widthPx, touch = false }: { widthPx: number; touch?: boolean }): void {
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, least] = /min-width: ([\d.]+)rem/.exec(query) ?? [];
    return {
      matches: least !== undefined && widthPx >= Number(least) * REM_PX && !(touch && query.includes('hover: hover')),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    };
  });
  withoutLayout();
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
}

/** Opens "Why this number?" of the numbers of a page in turn, and expects the formula and inputs of each. */
export async function expectWhys(
  user: ReturnType<typeof userEvent.setup>,
  answers: readonly (readonly [about: string, answer: RegExp])[],
): Promise<void> {
  for (const [about, answer] of answers) {
    await user.click(await screen.findByRole('button', { name: `Why this number? ${about}` }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog.textContent, about).toMatch(answer));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
}
