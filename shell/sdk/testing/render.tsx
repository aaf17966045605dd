import { onlineManager } from '@tanstack/react-query';
import { act, configure, type RenderResult, render, cleanup as unmount, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { SdkProvider } from '../sdk';
import { PATIENCE_MS } from './patience';
import type { TestSdk } from './test-sdk';

// Computing the styles of each role is slow on large pages, and jsdom has no layout that hides elements.
configure({ defaultHidden: true });

/** The real clock, which no test moves. */
const realNow = performance.now.bind(performance);
/** The sdks of the rendered pages. */
const shown = new Set<TestSdk>();
let fakeTime = false;

/** Renders with an sdk and returns a user without delays. */
export function renderWithSdk(
  ui: ReactNode,
  sdk: TestSdk,
): RenderResult & { user: ReturnType<typeof userEvent.setup> } {
  const result = render(<SdkProvider sdk={sdk}>{ui}</SdkProvider>);
  shown.add(sdk);
  return { ...result, user: patientUser() };
}

/**
 * Returns a user who waits for the effects of clicks and keys under fake timers. A dialog blocks presses for one
 * render after it opens, which takes longer on a busy machine.
 */
function patientUser(): ReturnType<typeof userEvent.setup> {
  const user = userEvent.setup({ delay: null });
  const click = async (element: Element) => {
    const isCovered = () => getComputedStyle(element).pointerEvents === 'none';
    // A permanently covered element is reported by the click itself.
    if (isCovered()) await waitFor(() => expect(isCovered()).toBe(false)).catch(() => undefined);
    await user.click(element);
    await followed();
  };
  const keyboard = async (text: string) => {
    await user.keyboard(text);
    await followed();
  };
  const followed = async () => void (fakeTime && (await settle()));
  return { ...user, click, keyboard };
}

/** Makes the server unreachable and pauses queries, until `backInReach`. */
export async function outOfReach(sdk: TestSdk): Promise<void> {
  await act(async () => {
    onlineManager.setOnline(false);
    sdk.connection.lostAtMs.set(sdk.clock.now());
  });
}

/** Makes the server reachable again and resumes queries. */
export async function backInReach(sdk: TestSdk): Promise<void> {
  await act(async () => {
    onlineManager.setOnline(true);
    sdk.connection.lostAtMs.set(null);
  });
}

/** Advances the server's clock and flushes the renders. */
export async function advance(sdk: TestSdk, ms: number): Promise<void> {
  await act(async () => sdk.clock.advance(ms));
}

/** Uses fake timers in all tests of a file, and cleans the page after each. */
export function inFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fakeTime = true;
  });
  afterEach(() => {
    cleanup();
    fakeTime = false;
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Advances fake time, then waits for its effects: lazy files, calls, and the render of their responses. */
export async function settle(ms = 50): Promise<void> {
  await goBy(ms);
  await quiet([...shown]);
}

/** Waits until no call or file is pending and the page has rendered the results. */
export const settled = (sdk: TestSdk): Promise<void> => quiet([sdk]);

/**
 * Repeats `check` while time advances, for effects without a call or file.
 * @throws its last error, after `PATIENCE_MS` of real time
 */
export async function until(check: () => void): Promise<void> {
  const endMs = realNow() + PATIENCE_MS;
  for (;;) {
    try {
      return check();
    } catch (error) {
      if (realNow() > endMs) throw error;
    }
    await settle();
  }
}

/** A page receives a response one timer after the cache, and may then send more requests. */
const QUIET_ROUNDS = 2;

async function quiet(sdks: readonly TestSdk[]): Promise<void> {
  const endMs = realNow() + PATIENCE_MS;
  let rounds = 0;
  const changes = new MutationObserver(() => {
    rounds = 0;
  });
  changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  try {
    while (rounds < QUIET_ROUNDS) {
      rounds += 1;
      await goBy(1);
      const waiting = sdks.flatMap(({ api }) => api.underWay());
      if (waiting.length > 0) rounds = 0;
      if (realNow() > endMs)
        throw new Error(`the page is not quiet; under way (api.hang is for what stays so): ${waiting}`);
    }
  } finally {
    changes.disconnect();
  }
}

/**
 * Advances time and waits for pending files. Fake time then moves only by `ms`, not with the machine's clock, which
 * could run a due timer out of order.
 */
async function goBy(ms: number): Promise<void> {
  if (fakeTime) vi.setTimerTickMode('manual');
  await act(async () => {
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(ms);
    else await new Promise((resolve) => setTimeout(resolve, ms));
    await vi.dynamicImportSettled();
  });
  if (fakeTime) vi.setTimerTickMode('interval');
}

/** Unmounts the page and forgets its sdks. */
export function cleanup(): void {
  onlineManager.setOnline(true);
  shown.clear();
  unmount();
}

export { act };
