import { act, cleanup, configure, type RenderResult, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { SdkProvider } from '../sdk';
import type { TestSdk } from './test-sdk';

// Without a layout there is little to hide, and computing styles for each role makes large pages slow to test.
configure({ defaultHidden: true });

/** Renders with an sdk, and gives a user whose fingers wait for nothing. */
export function renderWithSdk(
  ui: ReactNode,
  sdk: TestSdk,
): RenderResult & { user: ReturnType<typeof userEvent.setup> } {
  const result = render(<SdkProvider sdk={sdk}>{ui}</SdkProvider>);
  return { ...result, user: userEvent.setup({ delay: null }) };
}

/** Lets the server's clock run on, with every render that follows from it. */
export async function advance(sdk: TestSdk, ms: number): Promise<void> {
  await act(async () => sdk.clock.advance(ms));
}

/** The tests of a file move their timers themselves; the page is empty again after each. */
export function inFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Lets that much of the fake time go by, with everything that follows from it. */
export const settle = (ms = 50): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });

const ROUNDS = 20;
const ROUND_MS = 5;

/**
 * Waits, in real time, until no call is under way any more; a call that hangs is waited for a little. The page hears of an
 * answer a timer after the cache, so it takes two quiet rounds in a row.
 */
export async function settled(sdk: TestSdk): Promise<void> {
  let quiet = 0;
  for (let round = 0; round < ROUNDS && quiet < 2; round += 1) {
    await act(async () => new Promise((resolve) => setTimeout(resolve, ROUND_MS)));
    quiet = sdk.queries.isFetching() === 0 && sdk.queries.isMutating() === 0 ? quiet + 1 : 0;
  }
}

export { act, cleanup };
