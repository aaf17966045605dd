// @vitest-environment jsdom
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../shell/sdk/testing/patience';
import { withoutLayout } from '../testing/overlays';
import { Menu } from './menu';
import { overlaysMissing } from './on-demand';
import { toasts } from './toast';
import { Toaster } from './toaster';
import { WhyPopover } from './why-popover';

const network = vi.hoisted(() => ({ works: true }));
vi.mock('../overlays', async (original) => {
  if (!network.works) throw new Error('404');
  return original();
});

// It stands outside of the screens, whose tests wait as long.
configure({ asyncUtilTimeout: PATIENCE_MS });
beforeEach(withoutLayout);
afterEach(cleanup);

// In this order: once the overlays are here, they stay.
it('a popover closes again if its code does not load, so that the next press retries', async () => {
  network.works = false;
  const onOpenChange = vi.fn();
  render(
    <WhyPopover about="Rank" onOpenChange={onOpenChange}>
      Those who earned more stand before you.
    </WhyPopover>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Why this number? Rank' }));
  await waitFor(() => expect(onOpenChange.mock.calls).toEqual([[true], [false]]));
  // Not silently: the page shows why.
  expect(overlaysMissing.read()).toBeInstanceOf(Error);
  cleanup();
});

it('a menu is busy while its code loads, and closes when that fails', async () => {
  render(<Menu trigger={<button type="button">Account</button>}>{null}</Menu>);
  const button = screen.getByRole('button');
  const state = () => ['haspopup', 'expanded', 'busy'].map((name) => button.getAttribute(`aria-${name}`));
  fireEvent.click(button);
  expect(state()).toEqual(['menu', 'false', 'true']);
  await waitFor(() => expect(state()).toEqual(['menu', 'false', null]));
});

it('a toast is shown even if its code does not load, and can be closed', async () => {
  render(<Toaster />);
  act(() => void toasts.show({ kind: 'error', title: 'Claim Failed', text: 'Network error' }));
  const shown = await screen.findByRole('alert');
  expect(shown.textContent).toContain('Claim Failed');
  expect(shown.textContent).toContain('Network error');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByTestId('toast')).toBeNull();
  act(() => void toasts.show({ kind: 'success', title: 'Saved', durationMs: 20 }));
  await screen.findByRole('status');
  await waitFor(() => expect(screen.queryByTestId('toast')).toBeNull());
  network.works = true;
  vi.resetModules();
});

it('the first "Why this number?" loads its popover and opens it', async () => {
  render(<WhyPopover about="Rank">Those who earned more stand before you.</WhyPopover>);
  await userEvent.click(screen.getByRole('button', { name: 'Why this number? Rank' }));
  expect((await screen.findByRole('dialog', {}, { timeout: PATIENCE_MS })).textContent).toContain(
    'Those who earned more',
  );
  expect(overlaysMissing.read()).toBeNull();
});

it('a menu that is opened by keyboard focuses its first item', async () => {
  render(
    <Menu trigger={<button type="button">Account</button>}>
      {({ MenuItem }) => <MenuItem onSelect={() => undefined}>Settings</MenuItem>}
    </Menu>,
  );
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Settings'), { timeout: PATIENCE_MS });
});
