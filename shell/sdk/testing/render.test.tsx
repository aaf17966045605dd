import { expect, it, vi } from 'vitest';
import { renderWithSdk } from './render';
import { createTestSdk } from './test-sdk';

it('a click on what lets no press through yet comes as soon as it does', async () => {
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
