// @vitest-environment jsdom
import { createStore } from '@cord/sdk';
import { createTestSdk } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AreaState, ModuleApp } from './module-app';
import { ModuleArea } from './module-area';

afterEach(cleanup);

function appIn(state: AreaState) {
  const retry = vi.fn();
  const app: Pick<ModuleApp, 'state' | 'attach' | 'retry'> = {
    state: createStore(state),
    attach: (element) => {
      if (element && state.status === 'ready') element.textContent = 'the page';
    },
    retry,
  };
  return { app, retry };
}

describe('the area of a module', () => {
  it('shows a skeleton at once', () => {
    renderWithSdk(<ModuleArea name="Tasks" app={appIn({ status: 'loading' }).app} />, createTestSdk());
    expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByTestId('error-panel')).toBeNull();
  });

  it('shows the page when it is there', () => {
    renderWithSdk(<ModuleArea name="Tasks" app={appIn({ status: 'ready' }).app} />, createTestSdk());
    expect(screen.getByText('the page').hidden).toBe(false);
  });

  it('says what failed and what is safe, and retries', async () => {
    const { app, retry } = appIn({ status: 'failed', failure: 'script', failures: 1 });
    const { user } = renderWithSdk(<ModuleArea name="Rankings" app={app} />, createTestSdk());
    const panel = screen.getByTestId('error-panel');
    expect(panel.textContent).toContain('Rankings could not be loaded');
    expect(panel.textContent).toContain('Your node and balance are not affected.');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it('offers a reload after the second failure', () => {
    const { app } = appIn({ status: 'failed', failure: 'script', failures: 2 });
    renderWithSdk(<ModuleArea name="Tasks" app={app} />, createTestSdk());
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('says of a module that wants another sdk that it does not fit', () => {
    const { app } = appIn({ status: 'failed', failure: 'incompatible', failures: 1 });
    renderWithSdk(<ModuleArea name="Tasks" app={app} />, createTestSdk());
    expect(screen.getByTestId('error-panel').textContent).toContain('It does not work with this version of CORD.');
  });

  it('says of a module that is switched off that it is, and what is safe', () => {
    const { app } = appIn({ status: 'failed', failure: 'off', failures: 0 });
    renderWithSdk(<ModuleArea name="Tasks" app={app} />, createTestSdk());
    const { textContent } = screen.getByTestId('error-panel');
    expect(textContent).toContain('Tasks is switched off for now');
    expect(textContent).toContain('Your node and balance are not affected');
  });

  it('leads back to the dashboard', async () => {
    const sdk = createTestSdk();
    sdk.tabs.go('tasks');
    const { app } = appIn({ status: 'failed', failure: 'script', failures: 1 });
    const { user } = renderWithSdk(<ModuleArea name="Tasks" app={app} />, sdk);
    await user.click(screen.getByRole('button', { name: 'Back to Dashboard' }));
    expect(sdk.tabs.current.get()).toBe('dashboard');
  });
});
