import { createStore, lazyFile } from '@cord/sdk';
import { createTestSdk } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { LazyOverlay, type Overlay } from './lazy-overlay';

function Question({ open, onOpenChange, about }: Overlay & { about: string }) {
  return open ? (
    <button type="button" onClick={() => onOpenChange(false)}>
      {about}
    </button>
  ) : null;
}

it('is loaded once, when it is first opened; opens and closes by its store, and passes its props on', async () => {
  const opened = createStore(false);
  const load = vi.fn(async () => Question);
  const file = lazyFile(load);
  const { user } = renderWithSdk(
    <LazyOverlay opened={opened} of={file} part="q" name="Q" failedText="No" props={{ about: 'Leave?' }} />,
    createTestSdk(),
  );
  expect(load).not.toHaveBeenCalled();
  act(() => opened.set(true));
  await user.click(await screen.findByRole('button', { name: 'Leave?' }));
  expect(opened.get()).toBe(false);
  expect(screen.queryByRole('button')).toBeNull();
  act(() => opened.set(true));
  expect(screen.getByRole('button', { name: 'Leave?' })).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});
