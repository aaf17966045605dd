// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost:3000/?single-spa"}
// single-spa stays in the window that it was started in, so this file has one of its own: options of its own make one.
import { createStore } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';
import { sampleUser } from '@cord/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { createKeptTabs } from './kept-tabs';
import { createPageSwitch } from './page-switch';

const page = (text: string) => ({
  bootstrap: async () => undefined,
  mount: async ({ domElement }: { domElement: HTMLElement }) => {
    domElement.textContent = text;
  },
  hide: async () => undefined,
  unmount: async () => undefined,
});

const current = createStore<TabId>('dashboard');
const session = createStore<SessionState>({ status: 'signed-in', user: sampleUser() });
const kept = createKeptTabs(current, session);
const tabs = createStore([
  { id: 'node', module: 'mfe_mining' },
  { id: 'tasks', module: 'mfe_tasks' },
  { id: 'leaderboard', module: 'mfe_leaderboard' },
  { id: 'referrals', module: 'mfe_referrals' },
]);
const reported: unknown[] = [];
const off = new Set<string>();
const releases: Record<string, string> = {};
const pages = createPageSwitch({
  current,
  session,
  kept,
  isHere: () => false,
  tabs,
  isOff: (module) => off.has(module),
  lookAgain: () => undefined,
  releaseOf: (module) => releases[module] ?? '1',
  load: async (module) => {
    if (module === 'mfe_tasks') throw new Error('broken module');
    if (module === 'mfe_referrals') return new Promise(() => undefined);
    return page(module);
  },
  report: (error) => void reported.push(error),
});

function appOf(tab: string) {
  const app = pages.appOf(tab);
  if (app === null) throw new Error(`nobody brings ${tab}`);
  return app;
}

function areaOf(tab: string): HTMLElement {
  const area = document.createElement('div');
  appOf(tab).attach(area);
  return area;
}

const until = (done: () => void) => vi.waitFor(done, 15_000);

// single-spa is one for the page: these follow on each other, as a user's clicks do.
describe('switching pages', () => {
  it('loads nothing while the shell’s own tab is shown', () => {
    expect(appOf('node').state.get()).toEqual({ status: 'idle' });
  });

  it('mounts the module of the tab', async () => {
    const area = areaOf('node');
    current.set('node');
    await until(() => expect(area.textContent).toBe('mfe_mining'));
  });

  it('a broken module breaks its own area only', async () => {
    areaOf('tasks');
    current.set('tasks');
    await until(() => expect(appOf('tasks').state.get()).toMatchObject({ status: 'failed' }));
    const area = areaOf('leaderboard');
    current.set('leaderboard');
    await until(() => expect(area.textContent).toBe('mfe_leaderboard'));
  });

  it('a module that never answers holds up no other tab', async () => {
    areaOf('referrals');
    current.set('referrals');
    await until(() => expect(appOf('referrals').state.get()).toEqual({ status: 'loading' }));
    const area = areaOf('node');
    current.set('node');
    await until(() => expect(area.textContent).toBe('mfe_mining'));
  });

  it('keeps the pages of the last tabs, and unloads one when a fourth is left after it', async () => {
    const statusOf = () => ['node', 'leaderboard'].map(appOf).map(({ state }) => state.get().status);
    current.set('dashboard');
    await until(() => expect(statusOf()).toEqual(['kept', 'kept']));
    expect(kept.tabs.get()).toEqual(['node', 'referrals', 'leaderboard']);
    current.set('settings');
    await until(() => expect(statusOf()).toEqual(['kept', 'idle']));
  });

  it('a tab that is published while the page is open is there at once; what nobody brings is not', async () => {
    expect(pages.appOf('room')).toBeNull();
    tabs.set([...tabs.get(), { id: 'room', module: 'mfe_room' }]);
    const area = areaOf('room');
    current.set('room');
    await until(() => expect(area.textContent).toBe('mfe_room'));
    expect(pages.appOf('dashboard')).toBeNull();
  });

  it('a kept page of a build that another one replaces goes at the next change of tab', async () => {
    current.set('settings');
    await until(() => expect(appOf('room').state.get()).toEqual({ status: 'kept' }));
    releases.mfe_room = '2';
    current.set('dashboard');
    await until(() => expect(appOf('room').state.get()).toEqual({ status: 'idle' }));
  });

  it('a page whose module is switched off gives way at once and says so, and comes back by itself', async () => {
    const area = areaOf('node');
    current.set('node');
    await until(() => expect(area.textContent).toBe('mfe_mining'));
    off.add('mfe_mining');
    tabs.set([...tabs.get()]);
    expect(appOf('node').state.get()).toEqual({ status: 'failed', failure: 'off', failures: 0 });
    await until(() => expect(area.textContent).toBe(''));
    off.delete('mfe_mining');
    tabs.set([...tabs.get()]);
    await until(() => expect(area.textContent).toBe('mfe_mining'));
    expect(reported).toEqual([expect.objectContaining({ module: 'mfe_tasks' })]);
  });

  it('leaves every page at sign-out, kept ones too', async () => {
    for (const tab of ['node', 'leaderboard']) {
      areaOf(tab);
      current.set(tab);
      await until(() => expect(appOf(tab).state.get()).toEqual({ status: 'ready' }));
    }
    expect(appOf('node').state.get()).toEqual({ status: 'kept' });
    session.set({ status: 'signed-out', user: null });
    await until(() => expect(appOf('leaderboard').state.get()).toEqual({ status: 'idle' }));
    await until(() => expect(appOf('node').state.get()).toEqual({ status: 'idle' }));
  });
});
