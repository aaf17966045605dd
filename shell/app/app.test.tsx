import { installSdk } from '@cord/sdk/host';
import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { App } from './app';
import { AUTH_MODAL, LANDING, SIGNED_IN } from './bundles';

// Loads the lazy files before the first test; the page has its sdk by then.
beforeAll(() => installSdk(createTestShell({ user: null }).sdk));
beforeAll(() => Promise.all([LANDING.load(), AUTH_MODAL.load(), SIGNED_IN.load()]));

function show(options: TestShellOptions = {}) {
  const shell = createTestShell({ user: null, ...options });
  return renderInShell(shell, <App />);
}

describe('the session gate', () => {
  it('renders nothing while the session is read, so that the loading screen stays visible', () => {
    expect(show().container.childElementCount).toBe(0);
  });

  it('shows the landing page at once on a new device, without reading a session', async () => {
    const { shell } = show({ newDevice: true });
    expect(await screen.findByText('Your years on Discord, wound into CORD.')).toBeTruthy();
    await act(() => shell.startup.run());
    expect(shell.sdk.api.callsOf(at.auth.me)).toEqual([]);
    expect(await screen.findByText('Your years on Discord, wound into CORD.')).toBeTruthy();
  });

  it('shows the landing page when nobody is signed in', async () => {
    const { shell } = show();
    shell.sdk.api.fail(at.auth.me, problem(401, 'Sign in first'));
    await act(() => shell.startup.run());
    expect(await screen.findByText('Your years on Discord, wound into CORD.')).toBeTruthy();
  });

  it('shows the app to a signed-in user', async () => {
    const { shell } = show();
    shell.sdk.api.on(at.auth.me, { user: sampleUser() });
    await act(() => shell.startup.run());
    expect(await screen.findByText('Welcome back, mara.okafor')).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Dashboard · CORD'));
  });

  it('shows an error for an unreachable server, and Retry opens the app', async () => {
    const { shell, user } = show();
    shell.sdk.api.fail(at.auth.me, offline());
    await act(() => shell.startup.run());
    expect(screen.getByTestId('error-panel').textContent).toContain('CORD could not be loaded');
    shell.sdk.api.on(at.auth.me, { user: sampleUser() });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Welcome back, mara.okafor')).toBeTruthy();
  });

  it('retries by itself when the server is reachable again', async () => {
    const { shell } = show();
    shell.sdk.api.fail(at.auth.me, offline());
    await act(() => shell.startup.run());
    await act(async () => shell.sdk.connection.lostAtMs.set(1));
    shell.sdk.api.on(at.auth.me, { user: sampleUser() });
    await act(async () => shell.sdk.connection.lostAtMs.set(null));
    expect(await screen.findByText('Welcome back, mara.okafor')).toBeTruthy();
  });

  it('opens the modal over the landing page after a failed sign-in', async () => {
    const { shell } = show({ arrival: { authError: 'forbidden' } });
    shell.sdk.api.fail(at.auth.me, problem(401, 'Sign in first'));
    await act(() => shell.startup.run());
    expect((await screen.findByTestId('auth-error')).textContent).toContain(
      'Access denied. Please ensure you have the necessary permissions.',
    );
  });

  it('returns to the landing page when the session ends', async () => {
    const { shell } = show();
    shell.sdk.api.on(at.auth.me, { user: sampleUser() });
    await act(() => shell.startup.run());
    await screen.findByText('Welcome back, mara.okafor');
    act(() => shell.sdk.session.signOut());
    expect(await screen.findByText('Your years on Discord, wound into CORD.')).toBeTruthy();
    expect(document.title).toBe('CORD');
  });
});
