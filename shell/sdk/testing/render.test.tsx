import { expect, it, vi } from 'vitest';
import { renderWithSdk } from './render';
import { createTestSdk } from './test-sdk';

it('a click on an element without pointer events waits until it accepts them', async () => {
  const pressed = vi.fn();
  const { user, getByRole } = renderWithSdk(
    <button type="button" style={{ pointerEvents: 'none' }} onClick={pressed}>
      Close
    </button>,
    createTestSdk(),
  );
  const button = getByRole('button');
  setTimeout(() => button.style.removeProperty('pointer-events'), 60);
  await user.click(button);
  expect(pressed).toHaveBeenCalledTimes(1);
});
