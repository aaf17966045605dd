import { at } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { SETTINGS } from '../app/lazy-files';
import { renderInShell } from '../testing/render';
import { createStoryShell } from '../testing/story-shell';
import { CurrentTab } from './current-tab';

beforeAll(SETTINGS.preload);
afterEach(() => {
  broken = false;
});

let broken = false;
const effects = vi.fn();

/** Replaces the modules' parts. */
function Probe({ name }: { name: string }) {
  useEffect(() => {
    if (name !== 'mining/node-card') return;
    effects('on');
    return () => void effects('off');
  }, [name]);
  if (broken && name === 'mining/node-card') throw new Error('broken');
  return null;
}

function show() {
  effects.mockReset();
  const shell = createStoryShell({ live: false });
  shell.sdk.parts = { ...shell.sdk.parts, load: () => new Promise(() => undefined), Skeleton: Probe };
  const view = renderInShell(shell, <CurrentTab className={undefined} />);
  const go = (tab: Parameters<typeof shell.tabs.go>[0]) => act(async () => shell.tabs.go(tab));
  return { go, ...view };
}

it('Settings keeps its state while out of the document', async () => {
  const { go, user } = show();
  await go('settings');
  const subject = await screen.findByLabelText('Subject');
  await user.type(subject, 'My');
  await go('dashboard');
  expect(subject.isConnected).toBe(false);
  expect(screen.queryByRole('heading', { name: 'Settings' })).toBeNull();
  await go('settings');
  expect(screen.getByLabelText('Subject')).toBe(subject);
  expect((subject as HTMLInputElement).value).toBe('My');
});

it('a kept page runs nothing: no effect and no request', async () => {
  const { go, shell } = show();
  await screen.findByText('Welcome back, mara.okafor');
  await waitFor(() => expect(effects).toHaveBeenLastCalledWith('on'));
  const readAgain = async () => {
    await waitFor(() => expect(shell.sdk.queries.isFetching()).toBe(0));
    const before = shell.sdk.api.callsOf(at.rewards.currentEpoch).length;
    await act(() => shell.sdk.queries.invalidateQueries());
    return shell.sdk.api.callsOf(at.rewards.currentEpoch).length - before;
  };
  expect(await readAgain()).toBe(1);
  await go('settings');
  expect(effects).toHaveBeenLastCalledWith('off');
  await screen.findByRole('heading', { name: 'Settings' });
  expect(await readAgain()).toBe(0);
  await go('dashboard');
  expect(effects).toHaveBeenLastCalledWith('on');
});

it('Settings is dropped when a fourth tab is left after it, and every page at sign-out', async () => {
  const { go, shell, user } = show();
  await go('settings');
  const subject = await screen.findByLabelText('Subject');
  await user.type(subject, 'gone');
  for (const tab of ['node', 'tasks', 'leaderboard', 'referrals'] as const) await go(tab);
  await go('settings');
  const fresh = await screen.findByLabelText('Subject');
  expect(fresh).not.toBe(subject);
  await go('dashboard');
  await act(async () => shell.sdk.session.signOut());
  await go('settings');
  expect(await screen.findByLabelText('Subject')).not.toBe(fresh);
});

it('a failed page is created again at the next visit', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  broken = true;
  const { go } = show();
  expect((await screen.findByTestId('error-panel')).textContent).toContain('Dashboard could not be displayed');
  await go('settings');
  expect(screen.queryByTestId('error-panel')).toBeNull();
  broken = false;
  await go('dashboard');
  expect(await screen.findByText('Welcome back, mara.okafor')).toBeTruthy();
  expect(screen.queryByTestId('error-panel')).toBeNull();
});

it('a tab change focuses the new page, without scrolling it into view', async () => {
  const { go } = show();
  const page = screen.getByRole('main');
  expect(document.activeElement).not.toBe(page);
  const focus = vi.spyOn(page, 'focus');
  await go('settings');
  await waitFor(() => expect(document.activeElement).toBe(page));
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
});

it('a tab that no module provides gives way to the dashboard', async () => {
  const { go, shell } = show();
  await go('weather');
  await waitFor(() => expect(shell.tabs.current.get()).toBe('dashboard'));
  expect(await screen.findByText('Welcome back, mara.okafor')).toBeTruthy();
});
