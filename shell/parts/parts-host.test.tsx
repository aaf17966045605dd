// @vitest-environment jsdom
import type { PartName } from '@cord/sdk/host';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PauseWarning } from '../settings/push/pause-warning';
import { testRegistry } from '../testing/registry';
import { createTestShell, InShell } from '../testing/test-shell';
import { PartFailed } from './part-failed';
import { createPartsHost } from './parts-host';

afterEach(cleanup);

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
    const view = renderWithSdk(
      <InShell shell={shell}>
        <PartFailed name={name} again={again} retry={retry} />
      </InShell>,
      shell.sdk,
    );
    return { ...view, retry };
  }

  it('one that failed says so in its own place, with Retry', async () => {
    const { user, retry } = showFailed('tasks/tasks-card');
    expect(screen.getByTestId('error-panel').textContent).toContain('Tasks could not be loaded');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it('offers a reload after the second failure', () => {
    showFailed('tasks/tasks-card', true);
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('a wallet button that failed leaves the header whole', () => {
    expect(showFailed('wallet/wallet-button').container.innerHTML).toBe('');
  });
});
