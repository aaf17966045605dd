// @vitest-environment jsdom
import { createTestSdk, problem } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { withoutLayout } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfirmPanel } from './confirm-panel';

beforeEach(withoutLayout);
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

function show(error: Error | null = null) {
  const onConfirm = vi.fn();
  const onClose = vi.fn();
  const ui = (
    <ConfirmPanel
      about="end-abc"
      title="End all sessions"
      changes={[{ what: 'Sessions', before: '2', after: '0' }]}
      confirmText="End sessions"
      danger
      busy={false}
      error={error}
      failedText="Not done."
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
  const { user } = renderWithSdk(ui, createTestSdk());
  const panel = within(screen.getByRole('region', { name: 'End all sessions' }));
  return { user, panel, onConfirm, onClose };
}

test('it shows what changes and does it for a reason alone; Esc closes it', async () => {
  const { user, panel, onConfirm, onClose } = show();
  expect(panel.getByText('Sessions').nextElementSibling?.textContent).toBe('before: 2after: 0');
  await user.keyboard(' ab {Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
  await user.keyboard('c{Enter}');
  expect(onConfirm.mock.calls).toEqual([['ab c', '']]);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('with an old sign-in it leads to a new one that comes back here, and what was typed waits, once', async () => {
  history.replaceState(null, '', '/?tab=admin&view=users&user=abc&act=end');
  const { user, panel } = show(problem(403, 'Please sign in again', 'sign-in-too-old'));
  await user.keyboard('Lost phone');
  const link = panel.getByRole('link', { name: 'Sign in again' });
  const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href);
  expect([pathname, searchParams.get('back')]).toEqual(['/api/auth/discord', location.search]);
  link.addEventListener('click', (event) => event.preventDefault());
  await user.click(link);
  cleanup();
  expect(show().panel.getByLabelText<HTMLInputElement>('Reason, recorded in Audit').value).toBe('Lost phone');
  cleanup();
  expect(show().panel.getByLabelText<HTMLInputElement>('Reason, recorded in Audit').value).toBe('');
});
