import { act } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { LaterPlace } from './later-place';

beforeEach(() => void vi.useFakeTimers());

/** Renders the dashboard's cards this far below the top of a window of 768 px. */
function show(topPx: number) {
  const sight = { comes: (): void => undefined };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(
        private readonly notify: (entries: { isIntersecting: boolean }[]) => void,
        private readonly options: { rootMargin: string },
      ) {
        sight.comes = () => notify([{ isIntersecting: true }]);
      }
      // Reports the current state at once, as in a browser.
      observe() {
        const reachPx = innerHeight * (1 + Number.parseFloat(this.options.rootMargin) / 100);
        this.notify([{ isIntersecting: topPx < reachPx }]);
      }
      disconnect() {}
    },
  );
  const shell = createTestShell({ parts: { tasks: { 'tasks-card': () => <p>the tasks</p> } } });
  const load = vi.spyOn(shell.sdk.parts, 'load');
  const { container } = renderInShell(shell, <LaterPlace name="dashboard.cards" className="cards" />);
  const loadedParts = () => load.mock.calls.map(([name]) => name);
  return { sight, loadedParts, rooms: () => container.querySelectorAll('.cards > section').length };
}

const ALL = ['tasks/tasks-card', 'wallet/badge-card', 'referrals/referral-panel'];

it('parts on or near the screen are loaded at once', () => {
  expect(show(1_000).loadedParts()).toEqual(ALL);
});

it('parts further below reserve their space and load only when they are about to be visible', async () => {
  const { sight, loadedParts, rooms } = show(1_700);
  expect([loadedParts(), rooms()]).toEqual([[], 3]);
  await act(async () => sight.comes());
  expect(loadedParts()).toEqual(ALL);
  expect(screen.getByText('the tasks')).toBeTruthy();
});

it('without scrolling, parts are loaded once the page is quiet', async () => {
  const { loadedParts } = show(1_700);
  await act(() => vi.advanceTimersByTimeAsync(2_900));
  expect(loadedParts()).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(loadedParts()).toEqual(ALL);
});
