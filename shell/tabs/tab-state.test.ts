// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTabState, type TabState, tabOfAddress, titleOfTab } from './tab-state';

let tabs: TabState;

beforeEach(() => {
  history.replaceState(null, '', '/');
  tabs = createTabState();
});

afterEach(() => tabs.close());

const back = () =>
  new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true });
    history.back();
  });

describe('the current tab', () => {
  it.each([
    ['', 'dashboard'],
    ['?tab=node', 'node'],
    ['?tab=leaderboard', 'leaderboard'],
    ['?tab=nonsense', 'dashboard'],
  ])('%s is %s', (search, tab) => {
    expect(tabOfAddress(search)).toBe(tab);
  });

  it('is written to the address, other parameters kept', () => {
    history.replaceState(null, '', '/?x=1');
    tabs.go('tasks');
    expect(location.search).toBe('?x=1&tab=tasks');
    tabs.go('dashboard');
    expect(location.search).toBe('?x=1');
  });

  it('goes back with Back', async () => {
    tabs.go('node');
    tabs.go('settings');
    await back();
    expect(tabs.current.get()).toBe('node');
    await back();
    expect(tabs.current.get()).toBe('dashboard');
  });

  it('leaves no step in the history for a tab that is already there', () => {
    tabs.go('node');
    const steps = history.length;
    tabs.go('node');
    expect(history.length).toBe(steps);
  });

  it('names the page', () => {
    expect(titleOfTab('leaderboard')).toBe('Rankings · CORD');
  });
});
