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

  it('are found under their names', async () => {
    expect(await host.load('wallet/badge-card', { fresh: false })).toBe(Badge);
    expect(host.releaseOf('wallet/badge-card')).toBe('/mfe_wallet');
  });

  it('one of the shell comes with its own build', async () => {
    expect(await host.load('shell/pause-warning', { fresh: false })).toBe(PauseWarning);
    expect(host.releaseOf('shell/pause-warning')).toBe('shell');
  });

  it('one in a file of its own is fetched when it is requested', async () => {
    const fetch = vi.fn(async () => Badge);
    const lazy = createPartsHost(
      { load: async () => ({ parts: { 'badge-card': lazyFile(fetch) } }), releaseOf: () => null },
      testRegistry(),
    );
    expect(await lazy.load('wallet/badge-card', { fresh: false })).toBe(Badge);
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('an action is that of the module which names its place', async () => {
    const start = async () => true;
    const load = vi.fn(async (_module: string) => ({ parts: {}, actions: { 'start-node': start } }));
    const withActions = createPartsHost({ load, releaseOf: () => null }, testRegistry());
    expect(await withActions.action('welcome.start')).toBe(start);
    expect(load.mock.calls[0]?.[0]).toBe('mfe_mining');
    await expect(host.action('welcome.start')).rejects.toThrow('mfe_mining has no action start-node');
    const none = createPartsHost({ load, releaseOf: () => null }, testRegistry(null));
    await expect(none.action('welcome.start')).rejects.toThrow('No module has an action for welcome.start');
  });

  it('one that its module does not have yet shows nothing', async () => {
    const Absent = await host.load('wallet/gift-card', { fresh: false });
    const { container } = renderWithSdk(<Absent />, createTestShell().sdk);
    expect(container.innerHTML).toBe('');
  });

  it('one that its module promises and does not export has failed', async () => {
    await expect(host.load('wallet/claim-banner', { fresh: false })).rejects.toThrow('no part claim-banner');
  });

  function showFailed(name: PartName, again = false) {
    const shell = createTestShell();
    const retry = vi.fn();
    const view = renderInShell(shell, <PartFailed name={name} onRetry={retry} reload={again} />);
    return { ...view, retry };
  }

  it('one that failed shows it in its own place, with Retry', async () => {
    const { user, retry } = showFailed('tasks/tasks-card');
    expect(screen.getByTestId('error-panel').textContent).toContain('Tasks could not be loaded');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it('offers a reload after the second failure', () => {
    showFailed('tasks/tasks-card', true);
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('a line of the settings that failed shows it without a card of its own', () => {
    const { container } = showFailed('mining/history');
    expect(container.firstElementChild?.getAttribute('data-testid')).toBe('error-panel');
    expect(container.textContent).toContain('Mining history could not be loaded');
  });

  it('a wallet button that failed leaves the header whole', () => {
    expect(showFailed('wallet/wallet-button').container.innerHTML).toBe('');
  });
});
