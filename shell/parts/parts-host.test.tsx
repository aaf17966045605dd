// @vitest-environment jsdom
import { createTestSdk } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PartFailed } from './part-failed';
import { withAbsentParts } from './parts-host';

afterEach(cleanup);

describe('parts of modules', () => {
  it('one that its module does not have yet shows nothing', () => {
    const parts = withAbsentParts('wallet', { 'badge-card': () => <p>badge</p> });
    const Absent = parts['claim-banner'];
    if (Absent === undefined) throw new Error('a part the pages ask for must be there');
    const { container } = renderWithSdk(<Absent />, createTestSdk());
    expect(container.innerHTML).toBe('');
    expect(parts['badge-card']).toBeDefined();
  });

  it('one that failed says so in its own place, with Retry', async () => {
    const retry = vi.fn();
    const { user } = renderWithSdk(<PartFailed name="tasks/tasks-card" again={false} retry={retry} />, createTestSdk());
    expect(screen.getByTestId('error-panel').textContent).toContain('Tasks could not be loaded');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it('offers a reload after the second failure', () => {
    renderWithSdk(<PartFailed name="tasks/tasks-card" again retry={() => undefined} />, createTestSdk());
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('a wallet button that failed leaves the header whole', () => {
    const { container } = renderWithSdk(
      <PartFailed name="wallet/wallet-button" again={false} retry={() => undefined} />,
      createTestSdk(),
    );
    expect(container.innerHTML).toBe('');
  });
});
