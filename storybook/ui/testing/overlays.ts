import { screen } from '@testing-library/react';
import type { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { loadOverlays } from '../overlays/later-primitives';

/** jsdom has no layout; popovers and lists only ask whether it changes. */
export function withoutLayout(): void {
  class NoObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', NoObserver);
  vi.stubGlobal('IntersectionObserver', NoObserver);
}

/** Overlays open at once, as they do once their code is loaded. */
export async function withOverlays(): Promise<void> {
  withoutLayout();
  await loadOverlays();
}

/** Asks a number "Why this number?". @returns what its popover reads */
export async function whyOf(user: ReturnType<typeof userEvent.setup>, about: string): Promise<string | null> {
  await user.click(await screen.findByRole('button', { name: `Why this number? ${about}` }));
  return (await screen.findByRole('dialog')).textContent;
}
