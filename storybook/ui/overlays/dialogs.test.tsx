import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Menu } from '../triggers/menu';
import { Dialog } from './dialog';
import { MenuItem } from './menu-content';
import { Sheet, SheetItem } from './sheet';

describe('a dialog', () => {
  const nothing = () => undefined;

  it('focuses the first control of its body, else the last one of its footer', () => {
    const footer = (
      <>
        <button type="button">Back</button>
        <button type="button">Next</button>
      </>
    );
    const { unmount } = render(<Dialog open onOpenChange={nothing} title="It" footer={footer} />);
    expect(document.activeElement?.textContent).toBe('Next');
    unmount();
    render(
      <Dialog open onOpenChange={nothing} title="It" footer={footer}>
        <input aria-label="Code" />
      </Dialog>,
    );
    expect(document.activeElement).toBe(screen.getByLabelText('Code'));
  });
  it('is named by its title, also a hidden one', () => {
    render(<Dialog open onOpenChange={nothing} title="Welcome" titleHidden />);
    expect(screen.getByRole('dialog', { name: 'Welcome' })).toBeTruthy();
  });
  it.each([
    [false, [[false]]],
    [true, []],
  ])('closes on a press outside unless it is locked: %s', async (locked, changes) => {
    const onOpenChange = vi.fn();
    render(<Dialog open locked={locked} onOpenChange={onOpenChange} title="It" />);
    // The listener for presses is added one timer later.
    await new Promise((resolve) => setTimeout(resolve));
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.body);
    expect(onOpenChange.mock.calls).toEqual(changes);
  });
});

it('a sheet marks the current row, and closes with its button', async () => {
  const onOpenChange = vi.fn();
  render(
    <Sheet open onOpenChange={onOpenChange} title="Menu">
      <SheetItem icon={null} current>
        Tasks
      </SheetItem>
      <SheetItem icon={null}>Rankings</SheetItem>
    </Sheet>,
  );
  const rows = ['Tasks', 'Rankings'].map((name) => screen.getByRole('button', { name }));
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual(['page', null]);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onOpenChange.mock.calls).toEqual([[false]]);
});

it('a menu shows its head, wraps around on arrow keys, and closes after an item unless that keeps it open', async () => {
  const onSelect = vi.fn();
  render(
    <Menu trigger={<button type="button">Account</button>} head="mara.okafor">
      <MenuItem keepOpen onSelect={() => onSelect('theme')}>
        Theme
      </MenuItem>
      <MenuItem onSelect={() => onSelect('settings')}>Settings</MenuItem>
    </Menu>,
  );
  screen.getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('menu').textContent).toBe('mara.okaforThemeSettings');
  expect(document.activeElement?.textContent).toBe('Theme');
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByRole('menu')).not.toBeNull();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(onSelect.mock.calls).toEqual([['theme'], ['settings']]);
});
