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
const pages = createPageSwitch({
  current,
  session,
  kept,
  isHere: () => false,
  isOutdated: () => false,
  load: async (module) => {
    if (module === 'mfe_tasks') throw new Error('broken module');
    if (module === 'mfe_referrals') return new Promise(() => undefined);
    return page(module);
  },
  report: () => undefined,
});

function areaOf(tab: keyof typeof pages): HTMLElement {
  const area = document.createElement('div');
  pages[tab].attach(area);
  return area;
}

const until = (done: () => void) => vi.waitFor(done, 15_000);

// single-spa is one for the page: these follow on each other, as a user's clicks do.
describe('switching pages', () => {
  it('loads nothing while the shell’s own tab is shown', () => {
    expect(pages.node.state.get()).toEqual({ status: 'idle' });
  });

  it('mounts the module of the tab', async () => {
    const area = areaOf('node');
    current.set('node');
    await until(() => expect(area.textContent).toBe('mfe_mining'));
  });

  it('a broken module breaks its own area only', async () => {
    areaOf('tasks');
    current.set('tasks');
    await until(() => expect(pages.tasks.state.get()).toMatchObject({ status: 'failed' }));
    const area = areaOf('leaderboard');
    current.set('leaderboard');
    await until(() => expect(area.textContent).toBe('mfe_leaderboard'));
  });

  it('a module that never answers holds up no other tab', async () => {
    areaOf('referrals');
    current.set('referrals');
    await until(() => expect(pages.referrals.state.get()).toEqual({ status: 'loading' }));
    const area = areaOf('node');
    current.set('node');
    await until(() => expect(area.textContent).toBe('mfe_mining'));
  });

  it('keeps the pages of the last tabs, and unloads one when a fourth is left after it', async () => {
    const statusOf = () => [pages.node, pages.leaderboard].map(({ state }) => state.get().status);
    current.set('dashboard');
    await until(() => expect(statusOf()).toEqual(['kept', 'kept']));
    expect(kept.tabs.get()).toEqual(['node', 'referrals', 'leaderboard']);
    current.set('settings');
    await until(() => expect(statusOf()).toEqual(['kept', 'idle']));
  });

  it('leaves every page at sign-out, kept ones too', async () => {
    areaOf('leaderboard');
    current.set('leaderboard');
    await until(() => expect(pages.leaderboard.state.get()).toEqual({ status: 'ready' }));
    expect(pages.node.state.get()).toEqual({ status: 'kept' });
    session.set({ status: 'signed-out', user: null });
    await until(() => expect(pages.leaderboard.state.get()).toEqual({ status: 'idle' }));
    await until(() => expect(pages.node.state.get()).toEqual({ status: 'idle' }));
  });
});
