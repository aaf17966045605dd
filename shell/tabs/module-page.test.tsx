import { createStore } from '@cord/sdk';
import { act } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import type { PageState } from './module-app';
import { ModulePage, type ShownApp } from './module-pages';

function Broken(): never {
  throw new Error('broken');
}

/** Renders the current tab's page in this state. */
function show(state: PageState, tab = 'tasks') {
  const shell = createTestShell();
  shell.tabs.go(tab);
  const app = { tab, state: createStore(state), retry: vi.fn(), rendered: vi.fn(), threw: vi.fn() } satisfies ShownApp;
  return { app, ...renderInShell(shell, <ModulePage app={app} />) };
}

describe('the page of a module', () => {
  it('is a skeleton while it loads', () => {
    show({ status: 'loading' });
    expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByTestId('error-panel')).toBeNull();
  });

  it('is shown when it is loaded, and leaves the document when another tab is opened', () => {
    const { app, shell } = show({ status: 'shown', page: <p>the page</p>, release: '1' });
    expect(screen.getByText('the page')).toBeTruthy();
    expect(app.rendered).toHaveBeenCalledOnce();
    act(() => shell.tabs.go('dashboard'));
    expect(screen.queryByText('the page')).toBeNull();
  });

  it('fails if it throws while rendering, and is not reported as rendered', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { app } = show({ status: 'shown', page: <Broken />, release: '1' });
    expect(app.threw).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken' }));
    expect(app.rendered).not.toHaveBeenCalled();
  });

  it('shows what failed and what is not affected, and retries', async () => {
    const { app, user } = show({ status: 'failed', failure: 'script', failures: 1 }, 'leaderboard');
    const panel = screen.getByTestId('error-panel');
    expect(panel.textContent).toContain('Rankings could not be loaded');
    expect(panel.textContent).toContain('Your node and balance are not affected.');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(app.retry).toHaveBeenCalledOnce();
  });

  it('retries by itself when the server is reachable again', async () => {
    const { app, shell } = show({ status: 'failed', failure: 'script', failures: 1 });
    await act(async () => shell.sdk.connection.lostAtMs.set(1));
    expect(app.retry).not.toHaveBeenCalled();
    await act(async () => shell.sdk.connection.lostAtMs.set(null));
    expect(app.retry).toHaveBeenCalledOnce();
  });

  it('offers Reload after the second failure', () => {
    show({ status: 'failed', failure: 'script', failures: 2 });
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('shows that an incompatible module does not work with this version', () => {
    show({ status: 'failed', failure: 'incompatible', failures: 1 });
    expect(screen.getByTestId('error-panel').textContent).toContain('It does not work with this version of CORD.');
  });

  it('shows that a module is switched off, and what is not affected', () => {
    show({ status: 'failed', failure: 'off', failures: 0 });
    const { textContent } = screen.getByTestId('error-panel');
    expect(textContent).toContain('Tasks is switched off for now');
    expect(textContent).toContain('Your node and balance are not affected');
  });

  it('links back to the dashboard', async () => {
    const { shell, user } = show({ status: 'failed', failure: 'script', failures: 1 });
    await user.click(screen.getByRole('button', { name: 'Back to Dashboard' }));
    expect(shell.tabs.current.get()).toBe('dashboard');
  });
});
