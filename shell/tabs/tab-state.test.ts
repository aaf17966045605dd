// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressOfTab, createTabState, currentQuery, type TabState, tabOfAddress } from './tab-state';

let tabs: TabState;

beforeEach(() => {
  history.replaceState(null, '', '/');
  tabs = createTabState();
});

afterEach(() => tabs.close());

/** Goes back; a late event of another test is ignored. */
const back = () =>
  new Promise<void>((resolve) => {
    const from = location.href;
    const look = () => {
      if (location.href === from) return;
      window.removeEventListener('popstate', look);
      setTimeout(resolve);
    };
    window.addEventListener('popstate', look);
    history.back();
  });

describe('the current tab', () => {
  it.each([
    ['', 'dashboard'],
    ['?tab=node', 'node'],
    ['?tab=leaderboard', 'leaderboard'],
    ['?tab=room', 'room'],
    ['?tab=<b>', 'dashboard'],
  ])('of the address %s is %s', (search, tab) => {
    expect(tabOfAddress(search)).toBe(tab);
  });

  it('is the place to return to after a sign-in, unless it is the unchanged first one', () => {
    expect(currentQuery(tabs)).toBeNull();
    tabs.setParam('dashboard', 'view', 'rules');
    expect(currentQuery(tabs)).toBe('tab=dashboard&view=rules');
    tabs.go('tasks');
    expect(currentQuery(tabs)).toBe('tab=tasks');
  });

  it('ends the restoration of the scroll position when it changes', () => {
    const disconnect = vi.fn();
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        disconnect = disconnect;
      },
    );
    tabs.close();
    sessionStorage.setItem('cord.scroll', '900 /');
    tabs = createTabState();
    expect(disconnect).not.toHaveBeenCalled();
    tabs.go('tasks');
    expect(disconnect).toHaveBeenCalledOnce();
    sessionStorage.clear();
  });

  it('is written to the address', () => {
    tabs.go('tasks');
    expect(location.search).toBe('?tab=tasks');
    tabs.go('dashboard');
    expect(location.search).toBe('');
  });

  it('has its own state: in the address while it is shown, and in its link afterwards', () => {
    tabs.go('leaderboard');
    const steps = history.length;
    tabs.setParam('leaderboard', 'period', 'weekly');
    tabs.setParam('leaderboard', 'search', 'ada');
    expect(location.search).toBe('?tab=leaderboard&period=weekly&search=ada');
    expect(history.length).toBe(steps);
    tabs.setParam('leaderboard', 'search', null);
    tabs.go('tasks');
    expect(location.search).toBe('?tab=tasks');
    expect(addressOfTab('leaderboard', tabs.params.get())).toBe('/?tab=leaderboard&period=weekly');
    tabs.setParam('leaderboard', 'period', 'daily');
    expect(location.search).toBe('?tab=tasks');
    tabs.go('leaderboard');
    expect(location.search).toBe('?tab=leaderboard&period=daily');
  });

  it('can have views: each adds a history entry, and Back leaves it', async () => {
    tabs.go('leaderboard');
    const steps = history.length;
    tabs.stepTo('leaderboard', 'miner', 'ada');
    tabs.stepTo('leaderboard', 'miner', 'ada');
    expect(history.length).toBe(steps + 1);
    await back();
    expect([tabs.current.get(), location.search]).toEqual(['leaderboard', '?tab=leaderboard']);
    expect(tabs.params.get().leaderboard).toEqual({});
  });

  it('is read with its state from a link, and again on Back', async () => {
    history.replaceState(null, '', '/?tab=tasks&category=social');
    tabs.close();
    tabs = createTabState();
    expect(tabs.params.get()).toEqual({ tasks: { category: 'social' } });
    tabs.go('node');
    tabs.setParam('tasks', 'category', 'daily');
    await back();
    expect(tabs.current.get()).toBe('tasks');
    expect(tabs.params.get().tasks).toEqual({ category: 'social' });
  });

  it('changes on Back', async () => {
    tabs.go('node');
    tabs.go('settings');
    await back();
    expect(tabs.current.get()).toBe('node');
    await back();
    expect(tabs.current.get()).toBe('dashboard');
  });

  it('adds no history entry when it is opened again', () => {
    tabs.go('node');
    const steps = history.length;
    tabs.go('node');
    expect(history.length).toBe(steps);
  });

  it('falls back to the dashboard without a history entry if no module provides it', () => {
    tabs.go('room');
    const steps = history.length;
    tabs.fallBack();
    expect([tabs.current.get(), location.search, history.length]).toEqual(['dashboard', '', steps]);
  });
});
