// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost:3000/?page-history"}
// Its own window, by its own options: in a worker's shared window other files listen to Back.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPageHistory, type PageHistory } from './page-history';

let steps: PageHistory;
const arrived = vi.fn();

beforeEach(() => {
  history.replaceState(null, '', '/');
  arrived.mockReset();
  goFromWhereItGoes();
  steps = createPageHistory(arrived);
});
afterEach(() => {
  steps.stop();
});

/** Browsers compute a step back from the entry they are navigating to; jsdom uses the one it has not left yet. */
function goFromWhereItGoes(): void {
  const go = history.go.bind(history);
  let before = Promise.resolve();
  vi.spyOn(history, 'go').mockImplementation((delta) => {
    const there = () => new Promise<void>((resolve) => addEventListener('popstate', () => resolve(), { once: true }));
    before = before.then(() => {
      go(delta);
      return there();
    });
  });
}

/** Waits for a step back in rounds of timers, since it is a chain of a few timers. */
async function settled(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await new Promise((resolve) => setTimeout(resolve, 2));
}
const here = () => location.search;

/** A dialog as a component holds it: open until closed. */
function dialog(refuses = false) {
  const open = { is: true };
  const closed = steps.open(() => {
    if (refuses) return;
    open.is = false;
    closed();
  });
  const close = () => {
    open.is = false;
    closed();
  };
  return { open, close };
}

async function back(): Promise<void> {
  history.back();
  await settled();
}

it('Back closes the topmost overlay first, and stays on the page', async () => {
  steps.push('/?tab=tasks');
  const lower = dialog();
  const upper = dialog();
  await settled();
  await back();
  expect([lower.open.is, upper.open.is]).toEqual([true, false]);
  await back();
  expect(lower.open.is).toBe(false);
  expect(here()).toBe('?tab=tasks');
  expect(arrived).not.toHaveBeenCalled();
  await back();
  expect(here()).toBe('');
  expect(arrived).toHaveBeenCalledOnce();
});

it('an overlay closed by its button leaves no history entry', async () => {
  steps.push('/?tab=tasks');
  const { close } = dialog();
  await settled();
  close();
  await settled();
  expect(history.state).toBeNull();
  await back();
  expect(here()).toBe('');
});

it('an overlay that follows another one reuses its entry', async () => {
  const first = dialog();
  await settled();
  const length = history.length;
  first.close();
  const second = dialog();
  await settled();
  expect(history.length).toBe(length);
  await back();
  expect(second.open.is).toBe(false);
  expect(history.state).toBeNull();
});

it('a change of tab closes the overlay, and reuses its entry', async () => {
  steps.push('/?tab=tasks');
  const { open } = dialog();
  await settled();
  const length = history.length;
  steps.push('/?tab=settings');
  expect(open.is).toBe(false);
  expect(here()).toBe('?tab=settings');
  expect(history.length).toBe(length);
  await back();
  expect(here()).toBe('?tab=tasks');
});

it('a change of tab right after closing waits for the browser, and Back leads to the previous page', async () => {
  steps.push('/?tab=tasks');
  const lower = dialog();
  const upper = dialog();
  await settled();
  upper.close();
  lower.close();
  await Promise.resolve();
  steps.push('/?tab=settings');
  await settled();
  expect(here()).toBe('?tab=settings');
  await back();
  expect(here()).toBe('?tab=tasks');
  expect(history.state).toBeNull();
});

it('an overlay that refuses to close keeps its entry, and the page stays', async () => {
  steps.push('/?tab=tasks');
  const { open } = dialog(true);
  await settled();
  await back();
  expect(open.is).toBe(true);
  expect(history.state).toEqual({ over: 1 });
  await back();
  expect(here()).toBe('?tab=tasks');
});

it('Forward to a closed overlay returns by itself', async () => {
  dialog();
  await settled();
  await back();
  history.forward();
  await settled();
  await settled();
  expect(history.state).toBeNull();
});

it('a reload with an open overlay leaves no dead entry', async () => {
  steps.push('/?tab=tasks');
  dialog();
  await settled();
  steps.stop();
  steps = createPageHistory(arrived);
  await settled();
  expect(history.state).toBeNull();
  expect(here()).toBe('?tab=tasks');
});

it('the address can change under an open overlay', async () => {
  const { close } = dialog();
  await settled();
  steps.replace('/?search=ada');
  expect(here()).toBe('?search=ada');
  close();
  await settled();
  expect(here()).toBe('?search=ada');
});

it('leaving views returns to the page in which the first was opened, even after Back', async () => {
  steps.push('/?tab=tasks');
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  steps.push('/?tab=leaderboard&miner=b', true);
  await back();
  expect(here()).toBe('?tab=leaderboard&miner=a');
  expect(steps.leaveViews()).toBe(true);
  await settled();
  expect(here()).toBe('?tab=leaderboard');
  expect(steps.leaveViews()).toBe(false);
});

it('leaving views closes the overlays above them, and works after a reload', async () => {
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  const over = dialog();
  await settled();
  steps.stop();
  steps = createPageHistory(arrived);
  await settled();
  expect(over.open.is).toBe(true);
  expect(steps.leaveViews()).toBe(true);
  await settled();
  expect(here()).toBe('?tab=leaderboard');
});

it.each([
  ['before it', true],
  ['after it, as by a tap', false],
])('leaving views goes back no further if the same press closes an overlay %s', async (_when, isFirst) => {
  steps.push('/?tab=tasks');
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  const { close } = dialog();
  await settled();
  if (isFirst) close();
  steps.leaveViews();
  if (!isFirst) close();
  await settled();
  await settled();
  expect(here()).toBe('?tab=leaderboard');
  expect(arrived).toHaveBeenCalledOnce();
});

it('leaving views goes back no further if an overlay is closed within milliseconds before', async () => {
  steps.push('/?tab=tasks');
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  const { close } = dialog();
  await settled();
  close();
  // The browser is navigating back over the dialog's entry.
  await Promise.resolve();
  expect(steps.leaveViews()).toBe(true);
  await settled();
  await settled();
  expect(here()).toBe('?tab=leaderboard');
  expect(arrived).toHaveBeenCalledOnce();
});

it('two presses on leaving a view count as one', async () => {
  steps.push('/?tab=tasks');
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  expect([steps.leaveViews(), steps.leaveViews()]).toEqual([true, true]);
  await settled();
  expect(here()).toBe('?tab=leaderboard');
  expect(arrived).toHaveBeenCalledOnce();
});

it('a change of tab while a view is left adds an entry to the page of the view', async () => {
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  steps.leaveViews();
  steps.push('/?tab=tasks');
  await settled();
  await settled();
  expect(here()).toBe('?tab=tasks');
  expect(arrived).not.toHaveBeenCalled();
  await back();
  expect(here()).toBe('?tab=leaderboard');
});

it('a change of tab over two overlays adds one entry', async () => {
  dialog();
  dialog();
  await settled();
  const { length } = history;
  steps.push('/?tab=tasks');
  await settled();
  expect([here(), history.length]).toEqual(['?tab=tasks', length]);
  await back();
  expect(here()).toBe('');
  expect(arrived).toHaveBeenCalledOnce();
});

it('a step back over several entries closes the overlays, the topmost first', async () => {
  steps.push('/?tab=tasks');
  const closed: string[] = [];
  const over = (name: string) => {
    const done = steps.open(() => {
      closed.push(name);
      done();
    });
  };
  for (const name of ['lower', 'upper']) over(name);
  await settled();
  history.go(-2);
  await settled();
  expect([closed, here()]).toEqual([['upper', 'lower'], '?tab=tasks']);
  over('last');
  await settled();
  history.go(-2);
  await settled();
  expect([closed.at(-1), here()]).toEqual(['last', '']);
  expect(arrived).toHaveBeenCalledOnce();
});

it('a browser that does not go back delays the next entry by two seconds', async () => {
  vi.useFakeTimers();
  vi.spyOn(history, 'go').mockImplementation(() => undefined);
  const { close } = dialog();
  await Promise.resolve();
  close();
  await Promise.resolve();
  steps.push('/?tab=tasks');
  vi.advanceTimersByTime(1_999);
  expect(here()).toBe('');
  vi.advanceTimersByTime(1);
  expect(here()).toBe('?tab=tasks');
});
