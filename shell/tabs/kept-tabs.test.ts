// @vitest-environment jsdom
import { createStore } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';
import { sampleUser } from '@cord/sdk/testing';
import { beforeEach, expect, it, vi } from 'vitest';
import { createKeptTabs, KEPT_MAX } from './kept-tabs';

const SIGNED_IN: SessionState = { status: 'signed-in', user: sampleUser() };
let scrollY = 0;

beforeEach(() => {
  scrollY = 0;
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => scrollY);
  vi.spyOn(window, 'scrollTo').mockImplementation(((_x: number, y: number) => {
    scrollY = y;
  }) as typeof window.scrollTo);
});

function scrollTo(y: number): void {
  scrollY = y;
  window.dispatchEvent(new Event('scroll'));
}

function visiting(...tabs: TabId[]) {
  const current = createStore<TabId>('dashboard');
  const session = createStore<SessionState>(SIGNED_IN);
  const kept = createKeptTabs(current, session);
  for (const tab of tabs) current.set(tab);
  return { current, session, kept };
}

it('the last three tabs besides the current one are kept; a fourth drops the oldest', () => {
  expect(KEPT_MAX).toBe(3);
  const { current, kept } = visiting('node', 'tasks', 'leaderboard');
  expect(kept.tabs.get()).toEqual(['tasks', 'node', 'dashboard']);
  current.set('referrals');
  expect(kept.tabs.get()).toEqual(['leaderboard', 'tasks', 'node']);
});

it('a kept tab that is shown again is removed from the list, and comes first when it is left', () => {
  const { current, kept } = visiting('node', 'tasks', 'dashboard');
  expect(kept.tabs.get()).toEqual(['tasks', 'node']);
  current.set('node');
  expect(kept.tabs.get()).toEqual(['dashboard', 'tasks']);
});

it('a sign-out drops all kept tabs, and keeps none afterwards', () => {
  const { current, session, kept } = visiting('node', 'tasks');
  session.set({ status: 'signed-out', user: null });
  expect(kept.tabs.get()).toEqual([]);
  current.set('dashboard');
  expect(kept.tabs.get()).toEqual([]);
});

it('a tab at its top is not scrolled, and a window that is there already is left alone', () => {
  const { current, kept } = visiting('node');
  kept.restoreScroll('node');
  expect(window.scrollTo).not.toHaveBeenCalled();
  scrollTo(700);
  current.set('tasks');
  kept.restoreScroll('tasks');
  // The window sends its event later.
  current.set('node');
  kept.restoreScroll('node');
  current.set('tasks');
  kept.restoreScroll('tasks');
  expect(vi.mocked(window.scrollTo).mock.calls).toEqual([
    [0, 0],
    [0, 700],
    [0, 0],
  ]);
});

it('the scroll position of a kept tab is restored; other tabs start at the top', () => {
  const { current, kept } = visiting('node');
  scrollTo(700);
  current.set('tasks');
  kept.restoreScroll('tasks');
  expect(scrollY).toBe(0);
  scrollTo(40);
  current.set('node');
  kept.restoreScroll('node');
  expect(scrollY).toBe(700);
  for (const tab of ['dashboard', 'leaderboard', 'referrals', 'settings'] as const) current.set(tab);
  scrollY = 0;
  current.set('node');
  kept.restoreScroll('node');
  expect(scrollY).toBe(0);
});
