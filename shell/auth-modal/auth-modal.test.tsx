import { at } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { AuthModal } from './auth-modal';
import { TROUBLESHOOTING } from './texts';

function open(options: TestShellOptions = {}) {
  const shell = createTestShell({ user: null, ...options });
  shell.sdk.api.on(at.auth.jwks, { keys: [] });
  shell.connect.open();
  const { user } = renderInShell(shell, <AuthModal />);
  return { shell, user };
}

describe('the Connect Discord modal', () => {
  it('shows after a sign-out elsewhere what is not affected, or that the server did not confirm it', () => {
    const { shell } = open();
    expect(screen.queryByText('You are signed out. Your node and balance are not affected.')).toBeNull();
    act(() => shell.ended.set('signed-out'));
    expect(screen.getByText('You are signed out. Your node and balance are not affected.')).toBeTruthy();
    act(() => shell.ended.set({ unconfirmed: 'down' }));
    expect(screen.queryByText('You are signed out. Your node and balance are not affected.')).toBeNull();
    expect(screen.getByText('The server did not confirm it: down')).toBeTruthy();
  });

  it('shows a friend’s code before the first try, with the troubleshooting steps collapsed', () => {
    open({ referral: 'K7M2QX9D' });
    expect(screen.getByText('Your friend’s code K7M2QX9D is added to your new account.')).toBeTruthy();
    expect(screen.getByText('If it keeps failing').closest('details')?.open).toBe(false);
  });

  it('sends the user to Discord', async () => {
    const { shell, user } = open();
    await user.click(screen.getByRole('button', { name: 'Continue to Discord' }));
    expect(shell.visited).toEqual(['/api/auth/discord']);
    expect(screen.getByRole('button', { name: /Redirecting to Discord/ }).getAttribute('aria-busy')).toBe('true');
  });

  it('shows a failure in full and what was kept, with Try again', async () => {
    const { shell, user } = open({ referral: 'K7M2QX9D' });
    act(() => shell.connect.fail('code_expired', null));
    expect(screen.getByTestId('auth-error').textContent).toContain(
      'Failed to connect to Discord: Authorization code expired. Please try connecting again.',
    );
    expect(screen.getByTestId('auth-error').textContent).toContain('K7M2QX9D is kept for the next try');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(shell.visited).toEqual(['/api/auth/discord?ref=K7M2QX9D']);
  });

  it('shows that an account was deleted only after a deletion', () => {
    const { shell } = open();
    act(() => shell.ended.set('erased'));
    expect(screen.getByText('Your account has been deleted. Your profile and balance are gone.')).toBeTruthy();
    expect(screen.queryByText(/not affected/)).toBeNull();
  });

  it('shows a cancelled sign-in as no error, with the steps collapsed', async () => {
    const { shell, user } = open();
    act(() => shell.connect.fail('denied', 'The resource owner denied the request'));
    expect(screen.getByTestId('auth-error').dataset.tone).toBe('plain');
    const steps = screen.getByText('If it keeps failing');
    expect(steps.closest('details')?.open).toBe(false);
    await user.click(steps);
    expect(steps.closest('details')?.open).toBe(true);
  });

  it('has a plain link for Open manually', () => {
    open({ referral: 'K7M2QX9D' });
    const link = screen.getByRole('link', { name: /Open manually/ });
    expect(link.getAttribute('href')).toBe('/api/auth/discord?ref=K7M2QX9D');
    expect(link.getAttribute('target')).toBe('_blank');
  });

  it('lists eight different steps', () => {
    open();
    const steps = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(steps).toEqual(Object.values(TROUBLESHOOTING.get()));
    expect(new Set(steps).size).toBe(8);
  });

  it('shows debug info without secrets', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: a session cookie as the page might see one
    document.cookie = 'cord=eyJhbGciOiJFZERTQSJ9.secret';
    const { shell, user } = open({ referral: 'K7M2QX9D' });
    act(() => shell.connect.fail('state', null));
    await user.click(screen.getByRole('button', { name: 'Debug info' }));
    const info = screen.getByTestId('debug-info').textContent ?? '';
    expect(JSON.parse(info)).toMatchObject({ error: 'state', cookies: true });
    expect(info).not.toContain('secret');
    expect(info).not.toContain('K7M2QX9D');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Copied');
  });

  it('cannot be closed while a sign-in is being completed', async () => {
    const { shell, user } = open();
    act(() => shell.connect.processing());
    await user.keyboard('{Escape}');
    expect(screen.getByRole('status').textContent).toContain('Signing you in...');
  });

  it('moves the focus to Try again when a pending sign-in fails, unless the user has moved it', async () => {
    const shell = createTestShell({ user: null });
    shell.connect.processing();
    renderInShell(shell, <AuthModal />);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')));
    act(() => shell.connect.fail('unreachable', null));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Try again' }));
    const link = screen.getByRole('link', { name: /Open manually/ });
    act(() => link.focus());
    act(() => shell.connect.fail('denied', null));
    expect(document.activeElement).toBe(link);
  });

  it('closes on Escape otherwise', async () => {
    const { shell, user } = open();
    await user.keyboard('{Escape}');
    expect(shell.connect.state.get().status).toBe('closed');
  });
});
