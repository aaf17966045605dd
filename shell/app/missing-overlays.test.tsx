import { createTestSdk } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import * as ui from '@cord/ui';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { MissingOverlays } from './missing-overlays';

it('shows that overlays did not load, with Reload, reports it, and disappears when a retry succeeds', () => {
  const state: { error: unknown; notify: () => void } = { error: null, notify: () => undefined };
  vi.spyOn(ui.overlaysMissing, 'read').mockImplementation(() => state.error);
  vi.spyOn(ui.overlaysMissing, 'subscribe').mockImplementation((listener) => {
    state.notify = listener;
    return () => undefined;
  });
  const sdk = createTestSdk();
  renderWithSdk(<MissingOverlays />, sdk);
  expect(screen.getByRole('alert').textContent).toBe('');

  state.error = new Error('Loading chunk 823 failed');
  act(() => state.notify());
  expect(screen.getByRole('alert').textContent).toContain('Part of this page could not be loaded');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(sdk.reported).toEqual([{ error: state.error, place: { part: 'overlays' } }]);

  state.error = null;
  act(() => state.notify());
  expect(screen.getByRole('alert').textContent).toBe('');
});
