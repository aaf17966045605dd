// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost:3000/?single-spa"}
// single-spa stays in the window it was started in, so this file has its own window, by its own options.
import { createStore } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';
import { sampleUser } from '@cord/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { ModuleLoadError } from '../federation/load-errors';
import { createKeptTabs } from './kept-tabs';
import { createPageSwitch } from './page-switch';

const Page = () => null;

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
  refreshRegistry: () => undefined,
  releaseOf: (module) => releases[module] ?? '1',
  load: async (module) => {
    if (module === 'mfe_tasks') throw new ModuleLoadError(module, 'script', 'broken module');
    if (module === 'mfe_referrals') return new Promise(() => undefined);
    return { Page };
  },
  report: (error) => void reported.push(error),
});

function appOf(tab: string) {
  const app = pages.apps.get().find((each) => each.tab === tab);
  if (app === undefined) throw new Error(`nobody brings ${tab}`);
  return app;
}

/** Waits until the page of a tab is on screen. */
const shown = (tab: string) => until(() => expect(appOf(tab).state.get().status).toBe('shown'));

const until = (done: () => void) => vi.waitFor(done, 15_000);

// single-spa is one per page, so these tests depend on their order, like a user's clicks.
describe('the page switch', () => {
  it('loads nothing while a tab of the shell is shown', () => {
    expect(appOf('node').state.get()).toEqual({ status: 'idle' });
  });

  it('mounts the module of the tab', async () => {
    current.set('node');
    await shown('node');
  });

  it('shows a broken module in its own area only', async () => {
    current.set('tasks');
    await until(() => expect(appOf('tasks').state.get()).toMatchObject({ status: 'failed' }));
    current.set('leaderboard');
    await shown('leaderboard');
  });

  it('opens other tabs while a module never responds', async () => {
    current.set('referrals');
    await until(() => expect(appOf('referrals').state.get()).toEqual({ status: 'loading' }));
    current.set('node');
    await shown('node');
  });

  it('keeps the pages of the last tabs, and unloads one when a fourth is left after it', async () => {
    const statusOf = () => ['node', 'leaderboard'].map(appOf).map(({ state }) => state.get().status);
    current.set('dashboard');
    await until(() => expect(statusOf()).toEqual(['kept', 'kept']));
    expect(kept.tabs.get()).toEqual(['node', 'referrals', 'leaderboard']);
    current.set('settings');
    await until(() => expect(statusOf()).toEqual(['kept', 'idle']));
  });

  it('adds a tab that is published while the page is open, but none of the shell', async () => {
    const brought = () => pages.apps.get().map(({ tab }) => tab);
    expect(brought()).not.toContain('room');
    tabs.set([...tabs.get(), { id: 'room', module: 'mfe_room' }]);
    current.set('room');
    await shown('room');
    expect(brought()).not.toContain('dashboard');
  });

  it('drops a kept page of an older build at the next change of tab', async () => {
    current.set('settings');
    await until(() => expect(appOf('room').state.get().status).toBe('kept'));
    releases.mfe_room = '2';
    current.set('dashboard');
    await until(() => expect(appOf('room').state.get()).toEqual({ status: 'idle' }));
  });

  it('replaces the page of a module that is switched off at once, and restores it when it is on again', async () => {
    current.set('node');
    await shown('node');
    off.add('mfe_mining');
    tabs.set([...tabs.get()]);
    expect(appOf('node').state.get()).toEqual({ status: 'failed', failure: 'off', failures: 0 });
    off.delete('mfe_mining');
    tabs.set([...tabs.get()]);
    await shown('node');
    expect(reported).toEqual([expect.objectContaining({ module: 'mfe_tasks' })]);
  });

  it('removes every page at sign-out, including kept ones', async () => {
    for (const tab of ['node', 'leaderboard']) {
      current.set(tab);
      await shown(tab);
    }
    expect(appOf('node').state.get().status).toBe('kept');
    session.set({ status: 'signed-out', user: null });
    await until(() => expect(appOf('leaderboard').state.get()).toEqual({ status: 'idle' }));
    await until(() => expect(appOf('node').state.get()).toEqual({ status: 'idle' }));
  });
});
