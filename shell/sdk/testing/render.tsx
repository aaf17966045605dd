import { onlineManager } from '@tanstack/react-query';
import { act, configure, type RenderResult, render, cleanup as unmount, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { SdkProvider } from '../sdk';
import { PATIENCE_MS } from './patience';
import type { TestSdk } from './test-sdk';

// Without a layout there is little to hide, and computing styles for each role makes large pages slow to test.
configure({ defaultHidden: true });

/** Of the clock that no test moves. */
const realNow = performance.now.bind(performance);
/** What is on the page now, by what it was given. */
const shown = new Set<TestSdk>();
let fakeTime = false;

/** Renders with an sdk, and gives a user whose fingers wait for nothing. */
export function renderWithSdk(
  ui: ReactNode,
  sdk: TestSdk,
): RenderResult & { user: ReturnType<typeof userEvent.setup> } {
  const result = render(<SdkProvider sdk={sdk}>{ui}</SdkProvider>);
  shown.add(sdk);
  return { ...result, user: patientUser() };
}

/**
 * A user who waits for what a click or a key leads to, where the tests move the time themselves. A dialog lets no press through for one render
 * after it stands there, and a busy machine draws that out: no person is as fast.
 */
function patientUser(): ReturnType<typeof userEvent.setup> {
  const user = userEvent.setup({ delay: null });
  const click = async (element: Element) => {
    const isCovered = () => getComputedStyle(element).pointerEvents === 'none';
    // What stays covered is named by the click itself.
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

/** Takes the server out of reach, as a page without a network finds it: reads rest. Until `backInReach`. */
export async function outOfReach(sdk: TestSdk): Promise<void> {
  await act(async () => {
    onlineManager.setOnline(false);
    sdk.connection.lostAtMs.set(sdk.clock.now());
  });
}

/** The server answers again: reads that rested go on. */
export async function backInReach(sdk: TestSdk): Promise<void> {
  await act(async () => {
    onlineManager.setOnline(true);
    sdk.connection.lostAtMs.set(null);
  });
}

/** Lets the server's clock run on, with every render that follows from it. */
export async function advance(sdk: TestSdk, ms: number): Promise<void> {
  await act(async () => sdk.clock.advance(ms));
}

/** The tests of a file move their timers themselves; the page is empty again after each. */
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

/**
 * Lets that much of the fake time go by, then waits for all that follows from it: files that a view reads when it is first
 * shown, calls, and the page that is drawn of their answers.
 */
export async function settle(ms = 50): Promise<void> {
  await goBy(ms);
  await quiet([...shown]);
}

/** Waits until no call and no file is under way any more, and the page has been drawn of what they brought. */
export const settled = (sdk: TestSdk): Promise<void> => quiet([sdk]);

/**
 * Waits for what `check` expects, while the time goes on; for what neither a call nor a file brings.
 * @throws what it throws last, after `PATIENCE_MS` of real time
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

/** A page learns of an answer a timer after the cache, and may then request more. */
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
 * So much time goes by, and the files come that are being read. Fake time goes by as it is set alone, not as this
 * machine's does as well: a timer that is due in between would come out of its turn.
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

/** The page is empty again, and nobody waits for what was on it. */
export function cleanup(): void {
  onlineManager.setOnline(true);
  shown.clear();
  unmount();
}

export { act };
