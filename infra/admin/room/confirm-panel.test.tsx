import { createTestSdk, problem } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { act, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ConfirmPanel, type ConfirmPanelProps, REASON_MAX } from './confirm-panel';

interface PanelProps {
  first: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  bind: (setError: (error: Error | null) => void) => void;
  options: Partial<ConfirmPanelProps>;
}

/** The panel of a view that holds the error of its acts. */
function Panel({ first, onConfirm, onClose, bind, options }: PanelProps) {
  const [error, setError] = useState(first);
  bind(setError);
  return (
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
      {...options}
    />
  );
}

function show(first: Error | null = null, options: PanelProps['options'] = {}) {
  const onConfirm = vi.fn();
  const onClose = vi.fn();
  let setError: (error: Error | null) => void = () => undefined;
  const bind: PanelProps['bind'] = (set) => {
    setError = set;
  };
  const { user } = renderWithSdk(<Panel {...{ first, onConfirm, onClose, bind, options }} />, createTestSdk());
  const panel = within(screen.getByRole('region', { name: 'End all sessions' }));
  return { user, panel, onConfirm, onClose, fail: (error: Error | null) => act(() => setError(error)) };
}

test('the panel shows the changes and confirms only with a reason; Esc closes it', async () => {
  const { user, panel, onConfirm, onClose } = show();
  expect(panel.getByText('Sessions').nextElementSibling?.textContent).toBe('before: 2after: 0');
  await user.keyboard(' ab {Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
  await user.keyboard('c{Enter}');
  expect(onConfirm.mock.calls).toEqual([['ab c', '']]);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('Esc closes it once, also with the focus on a button', async () => {
  const { user, panel, onClose } = show();
  panel.getByRole('button', { name: 'Cancel' }).focus();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('with an old sign-in it links to a new one that returns here, and the typed reason is restored once', async () => {
  history.replaceState(null, '', '/?tab=admin&view=users&user=abc&act=end');
  const { user, panel, fail } = show();
  await user.keyboard('Lost phone');
  fail(problem(403, 'Please sign in again', 'sign-in-too-old'));
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

test('an earlier error is not shown when it opens; its own error is, even if equal', () => {
  const earlier = problem(409, 'Already decided');
  const { panel, fail } = show(earlier);
  expect(panel.queryByText('Already decided')).toBeNull();
  fail(null);
  fail(earlier);
  expect(panel.getByText('Already decided')).toBeDefined();
});

test('while busy it can be neither confirmed again nor closed', async () => {
  const { user, onConfirm, onClose, panel } = show(null, { busy: true, reason: 'Lost phone' });
  await user.keyboard('{Enter}{Escape}');
  await user.click(panel.getByRole('button', { name: 'Cancel' }));
  expect([onConfirm, onClose].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('a reason is limited to the length of the audit log, and a field shows no error before typing', async () => {
  const field = {
    label: 'Amount',
    help: 'CORD',
    error: () => 'Not an amount',
    change: () => ({ what: '', after: '' }),
  };
  const { user, panel } = show(null, { field });
  const amount = panel.getByLabelText<HTMLInputElement>('Amount');
  expect(amount.getAttribute('aria-invalid')).not.toBe('true');
  await user.keyboard('x');
  expect([amount.value, amount.getAttribute('aria-invalid')]).toEqual(['x', 'true']);
  await user.click(panel.getByLabelText('Reason, recorded in Audit'));
  await user.paste('a'.repeat(REASON_MAX + 1));
  expect(panel.getByLabelText<HTMLInputElement>('Reason, recorded in Audit').value).toHaveLength(500);
});

test('the focus returns to where it was', () => {
  const before = document.body.appendChild(document.createElement('button'));
  before.focus();
  const { panel } = show();
  expect(document.activeElement).toBe(panel.getByLabelText('Reason, recorded in Audit'));
  cleanup();
  expect(document.activeElement).toBe(before);
  before.remove();
});
