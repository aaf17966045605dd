import { lazyFile } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import { renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { PauseWarning } from '../settings/push/pause-warning';
import { testRegistry } from '../testing/registry';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { createPartsHost, PartFailed } from './parts-host';

const Badge = () => <p>badge</p>;

describe('parts of modules', () => {
  const host = createPartsHost(
    { load: async () => ({ parts: { 'badge-card': Badge } }), releaseOf: (module) => `/${module}` },
    testRegistry(),
  );

  it('are found by their names', async () => {
    expect(await host.load('wallet/badge-card', { fresh: false })).toBe(Badge);
    expect(host.releaseOf('wallet/badge-card')).toBe('/mfe_wallet');
  });

  it('of the shell come with its own build', async () => {
    expect(await host.load('shell/pause-warning', { fresh: false })).toBe(PauseWarning);
    expect(host.releaseOf('shell/pause-warning')).toBe('shell');
  });

  it('in their own file are fetched on request', async () => {
    const fetch = vi.fn(async () => Badge);
    const lazy = createPartsHost(
      { load: async () => ({ parts: { 'badge-card': lazyFile(fetch) } }), releaseOf: () => null },
      testRegistry(),
    );
    expect(await lazy.load('wallet/badge-card', { fresh: false })).toBe(Badge);
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('include actions, which come from the module that names the place', async () => {
    const start = async () => true;
    const load = vi.fn(async (_module: string) => ({ parts: {}, actions: { 'start-node': start } }));
    const withActions = createPartsHost({ load, releaseOf: () => null }, testRegistry());
    expect(await withActions.action('welcome.start')).toBe(start);
    expect(load.mock.calls[0]?.[0]).toBe('mfe_mining');
    await expect(host.action('welcome.start')).rejects.toThrow('mfe_mining has no action start-node');
    const none = createPartsHost({ load, releaseOf: () => null }, testRegistry(null));
    await expect(none.action('welcome.start')).rejects.toThrow('No module has an action for welcome.start');
  });

  it('missing in their module without a promise render nothing', async () => {
    const Absent = await host.load('wallet/gift-card', { fresh: false });
    const { container } = renderWithSdk(<Absent />, createTestShell().sdk);
    expect(container.innerHTML).toBe('');
  });

  it('that a module promises but does not export fail to load', async () => {
    await expect(host.load('wallet/claim-banner', { fresh: false })).rejects.toThrow('no part claim-banner');
  });

  function showFailed(name: PartName, again = false) {
    const shell = createTestShell();
    const retry = vi.fn();
    const view = renderInShell(shell, <PartFailed name={name} onRetry={retry} reload={again} />);
    return { ...view, retry };
  }

  it('that fail show an error in their own place, with Retry', async () => {
    const { user, retry } = showFailed('tasks/tasks-card');
    expect(screen.getByTestId('error-panel').textContent).toContain('Tasks could not be loaded');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it('offer Reload after the second failure', () => {
    showFailed('tasks/tasks-card', true);
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('in the settings show a failure without a card', () => {
    const { container } = showFailed('mining/history');
    expect(container.firstElementChild?.getAttribute('data-testid')).toBe('error-panel');
    expect(container.textContent).toContain('Mining history could not be loaded');
  });

  it('in the header, as the wallet button, render nothing on failure', () => {
    expect(showFailed('wallet/wallet-button').container.innerHTML).toBe('');
  });
});
