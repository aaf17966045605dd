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

it('Back closes what lies over the page, the topmost first, and stays on the page', async () => {
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

it('one that was closed by its button leaves no step behind', async () => {
  steps.push('/?tab=tasks');
  const { close } = dialog();
  await settled();
  close();
  await settled();
  expect(history.state).toBeNull();
  await back();
  expect(here()).toBe('');
});

it('one that follows upon another takes its step: never two', async () => {
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

it('a change of tab closes it, and its step becomes the new tab’s', async () => {
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

it('a change of tab right after it was closed waits for the browser, and Back leads to the page before', async () => {
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

it('what refuses to close keeps its step, and with it the page', async () => {
  steps.push('/?tab=tasks');
  const { open } = dialog(true);
  await settled();
  await back();
  expect(open.is).toBe(true);
  expect(history.state).toEqual({ over: 1 });
  await back();
  expect(here()).toBe('?tab=tasks');
});

it('Forward to what was closed comes back by itself', async () => {
  dialog();
  await settled();
  await back();
  history.forward();
  await settled();
  await settled();
  expect(history.state).toBeNull();
});

it('a reload in front of a dialog leaves no dead step', async () => {
  steps.push('/?tab=tasks');
  dialog();
  await settled();
  steps.stop();
  steps = createPageHistory(arrived);
  await settled();
  expect(history.state).toBeNull();
  expect(here()).toBe('?tab=tasks');
});

it('the address can change under an open dialog', async () => {
  const { close } = dialog();
  await settled();
  steps.replace('/?search=ada');
  expect(here()).toBe('?search=ada');
  close();
  await settled();
  expect(here()).toBe('?search=ada');
});

it('what leaves views goes back to the page that the first was opened in, wherever Back has been meanwhile', async () => {
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

it('what leaves views takes what lies over them along, and knows its steps after a reload', async () => {
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
])(
  'what leaves views goes back no further where the same press closes what lies over them %s',
  async (_when, isFirst) => {
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
  },
);

it('what leaves views goes back no further where what lay over them was closed within milliseconds of it', async () => {
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

it('two presses on the way out of a view are one: it goes back to its page, and not to the page before', async () => {
  steps.push('/?tab=tasks');
  steps.push('/?tab=leaderboard');
  steps.push('/?tab=leaderboard&miner=a', true);
  expect([steps.leaveViews(), steps.leaveViews()]).toEqual([true, true]);
  await settled();
  expect(here()).toBe('?tab=leaderboard');
  expect(arrived).toHaveBeenCalledOnce();
});

it('a change of tab while a view is left is a step of the page that it lay in', async () => {
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
