import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOverlayHost } from '../triggers/close-by-back';
import { Menu } from '../triggers/menu';
import { toasts } from '../triggers/toast';
import { Toaster } from '../triggers/toaster';
import { WhyPopover } from '../triggers/why-popover';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog';
import { Dialog } from './dialog';
import { MenuItem } from './menu-content';
import { Sheet } from './sheet';

afterEach(() => {
  act(() => toasts.clear());
});

describe('Why this number?', () => {
  const why = (
    <WhyPopover about="Current rate">
      <p>Base rate times your factors</p>
    </WhyPopover>
  );
  const button = () => screen.getByRole('button', { name: 'Why this number? Current rate' });

  it('does not open on hover', async () => {
    render(why);
    await userEvent.hover(button());
    expect(screen.queryByText('Base rate times your factors')).toBeNull();
  });
  it('opens on click, and Escape returns the focus', async () => {
    render(why);
    await userEvent.click(button());
    expect(screen.getByRole('dialog').textContent).toContain('Base rate times your factors');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button()));
  });
  it('opens on Enter', async () => {
    render(why);
    button().focus();
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('dialog')).toBeTruthy();
  });
  it('is one tab stop per card, with arrow keys between the buttons', async () => {
    const of = (about: string) => <WhyPopover about={about}>Because</WhyPopover>;
    const { rerender } = render(
      <>
        <section>
          {of('Rank')}
          {of('Age')}
          {of('Badge')}
        </section>
        <section>{of('Rate')}</section>
      </>,
    );
    const focused = () => document.activeElement?.getAttribute('aria-label')?.replace('Why this number? ', '');
    const passed: (string | undefined)[] = [];
    for (const key of [
      '{Tab}',
      '{ArrowRight}',
      '{ArrowDown}',
      '{ArrowRight}',
      '{ArrowLeft}',
      '{Tab}',
      '{Shift>}{Tab}{/Shift}',
      '{ArrowUp}',
    ]) {
      await userEvent.keyboard(key);
      passed.push(focused());
    }
    expect(passed).toEqual(['Rank', 'Age', 'Badge', 'Rank', 'Badge', 'Rate', 'Badge', 'Age']);
    const age = screen.getByRole('button', { name: /Age/ });
    expect(age.getAttribute('aria-keyshortcuts')).toBe('ArrowRight ArrowDown ArrowLeft ArrowUp');
    // An arrow does not scroll the page; with Alt it is the browser's.
    expect(fireEvent.keyDown(age, { key: 'ArrowLeft', altKey: true })).toBe(true);
    expect(focused()).toBe('Age');
    expect(fireEvent.keyDown(age, { key: 'ArrowLeft' })).toBe(false);
    rerender(
      <>
        <section>{of('Rank')}</section>
        <section>{of('Rate')}</section>
      </>,
    );
    screen.getByRole('button', { name: /Rate/ }).focus();
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    expect(focused()).toBe('Rank');
  });
  it('is one tab stop on a page without cards, also if rendered before it is in the document', () => {
    const main = document.createElement('main');
    const host = document.createElement('div');
    const stops = () => screen.getAllByRole('button').map(({ tabIndex }) => tabIndex);
    render(
      ['Rank', 'Age', 'Badge'].map((about) => (
        <WhyPopover key={about} about={about}>
          Because
        </WhyPopover>
      )),
      { container: host },
    );
    main.append(host);
    document.body.append(main);
    expect(stops()).toEqual([0, -1, -1]);
    main.remove();
  });
});

function Page() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete?"
        description="Gone."
        confirmText="Delete account"
        typed="mara"
        onConfirm={() => undefined}
      />
    </>
  );
}

describe('a confirm dialog', () => {
  const onConfirm = vi.fn();
  const onOpenChange = vi.fn();
  const show = (props: Partial<ConfirmDialogProps> = {}) => {
    onConfirm.mockClear();
    onOpenChange.mockClear();
    return render(
      <ConfirmDialog
        open
        onOpenChange={onOpenChange}
        title="Delete this account?"
        description="It cannot be undone."
        confirmText="Delete account"
        onConfirm={onConfirm}
        {...props}
      />,
    );
  };
  const confirm = () => screen.getByRole('button', { name: 'Delete account' });

  it('does nothing until the name is typed exactly', async () => {
    show({ danger: true, typed: 'mara.okafor' });
    await userEvent.click(confirm());
    await userEvent.type(screen.getByLabelText('Type mara.okafor to confirm'), 'Mara.okafor{Enter}');
    await userEvent.click(confirm());
    expect(onConfirm).not.toHaveBeenCalled();
    await userEvent.clear(screen.getByLabelText('Type mara.okafor to confirm'));
    await userEvent.type(screen.getByLabelText('Type mara.okafor to confirm'), 'mara.okafor');
    await userEvent.click(confirm());
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });
  it.each([
    ['𝓜𝓪𝓻𝓪  Okafor', 'Mara Okafor'],
    ['Zoe\u0301', 'Zo\u00e9'],
    ['mara\u3164\ufe0f', 'mara'],
    ['\u3164', ''],
  ])('accepts for the name %s what a keyboard can type', async (typed, text) => {
    show({ danger: true, typed });
    if (text !== '') await userEvent.type(screen.getByRole('textbox'), text);
    await userEvent.click(confirm());
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });
  it('focuses Cancel when the action is dangerous, otherwise the confirm button', async () => {
    const { unmount } = show({ danger: true });
    expect(document.activeElement?.textContent).toBe('Cancel');
    unmount();
    show();
    expect(document.activeElement).toBe(confirm());
  });
  it('ignores clicks and Escape while busy', async () => {
    show({ busy: true, busyText: 'Deleting' });
    const busy = screen.getByRole('button', { name: 'Deleting' });
    expect(busy.getAttribute('aria-busy')).toBe('true');
    expect(screen.getByRole('button', { name: 'Cancel' }).getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(busy);
    await userEvent.keyboard('{Escape}');
    expect(onConfirm).not.toHaveBeenCalled();
    expect(onOpenChange).not.toHaveBeenCalled();
  });
  it('shows an error and can be retried', async () => {
    show({ error: 'Network error. Please try again.' });
    expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Network error. Please try again.');
    await userEvent.click(confirm());
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });
  it('does not reload the page when its form is submitted', () => {
    show();
    const form = document.querySelector('form') as HTMLFormElement;
    expect(fireEvent.submit(form)).toBe(false);
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });
  it('opens without an earlier error, and shows the next one', () => {
    const dialog = (open: boolean, error?: string) => (
      <ConfirmDialog
        {...{ open, onOpenChange, onConfirm, error }}
        title="Delete this account?"
        description="It cannot be undone."
        confirmText="Delete account"
      />
    );
    const { rerender } = render(dialog(true));
    rerender(dialog(true, 'Network error.'));
    expect(screen.getByText('Network error.')).toBeTruthy();
    rerender(dialog(false, 'Network error.'));
    rerender(dialog(true, 'Network error.'));
    expect(screen.queryByText('Network error.')).toBeNull();
    rerender(dialog(true));
    rerender(dialog(true, 'Network error.'));
    expect(screen.getByText('Network error.')).toBeTruthy();
  });
  it('clears the typed text when it closes', async () => {
    render(<Page />);
    await userEvent.type(screen.getByLabelText('Type mara to confirm'), 'mara');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByLabelText<HTMLInputElement>('Type mara to confirm').value).toBe('');
  });
});

describe('Back', () => {
  const overlays: (() => void)[] = [];
  const closed = vi.fn();
  beforeEach(() => {
    overlays.length = 0;
    closed.mockClear();
    setOverlayHost((close) => {
      overlays.push(close);
      return closed;
    });
  });
  afterEach(() => setOverlayHost(null));

  it.each([
    ['a dialog', Dialog],
    ['a sheet', Sheet],
  ])('closes %s, which counts as closed afterwards', async (_what, Overlay) => {
    const change = vi.fn();
    const of = (open: boolean) => (
      <Overlay open={open} onOpenChange={change} title="It">
        This
      </Overlay>
    );
    const { rerender } = render(of(false));
    expect(overlays).toHaveLength(0);
    rerender(of(true));
    act(() => overlays[0]?.());
    expect(change.mock.calls).toEqual([[false]]);
    rerender(of(false));
    expect(closed).toHaveBeenCalledOnce();
  });
  it('does not close a locked dialog, nor does Escape, and there is no close button', async () => {
    const change = vi.fn();
    render(<Dialog open locked onOpenChange={change} title="It" />);
    act(() => overlays[0]?.());
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(change).not.toHaveBeenCalled();
  });
  it('closes a menu', async () => {
    render(
      <Menu trigger={<button type="button">Account</button>}>
        <MenuItem onSelect={() => undefined}>Settings</MenuItem>
      </Menu>,
    );
    await userEvent.click(screen.getByRole('button'));
    expect(screen.getByRole('menu')).toBeDefined();
    act(() => overlays[0]?.());
    expect(screen.queryByRole('menu')).toBeNull();
  });
  it('closes a "Why this number?" popover', async () => {
    render(<WhyPopover about="Rate">Because</WhyPopover>);
    await userEvent.click(screen.getByRole('button'));
    act(() => overlays[0]?.());
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('toasts', () => {
  it('are three at most; the oldest is removed', async () => {
    render(<Toaster />);
    act(() => {
      for (const title of ['one', 'two', 'three', 'four']) toasts.show({ kind: 'success', title: title });
    });
    const titles = screen.getAllByTestId('toast').map((card) => card.textContent);
    expect(titles).toEqual(['two', 'three', 'four']);
  });
  it('with the same id replace each other', () => {
    render(<Toaster />);
    act(() => {
      toasts.show({ kind: 'info', title: 'Saving', id: 'save' });
      toasts.show({ kind: 'success', title: 'Saved', id: 'save' });
    });
    expect(screen.getAllByTestId('toast').map((card) => card.textContent)).toEqual(['Saved']);
  });
  it('disappear after their time, which stops while the page is hidden', async () => {
    vi.useFakeTimers();
    let visibility: DocumentVisibilityState = 'visible';
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
    const setVisibility = (state: DocumentVisibilityState) => {
      visibility = state;
      act(() => {
        document.dispatchEvent(new Event('visibilitychange'));
      });
    };
    render(<Toaster />);
    act(() => {
      toasts.show({ kind: 'success', title: 'Mining Node Started!' });
      toasts.show({ kind: 'info', title: 'For longer', durationMs: 20_000 });
    });
    act(() => vi.advanceTimersByTime(3_000));
    setVisibility('hidden');
    act(() => vi.advanceTimersByTime(60_000));
    expect(screen.getAllByTestId('toast')).toHaveLength(2);
    setVisibility('visible');
    act(() => vi.advanceTimersByTime(900));
    expect(screen.getAllByTestId('toast')).toHaveLength(2);
    act(() => vi.advanceTimersByTime(200));
    expect(screen.getAllByTestId('toast').map(({ textContent }) => textContent)).toEqual(['For longer']);
  });
  it('restart their time when they are replaced', () => {
    vi.useFakeTimers();
    render(<Toaster />);
    act(() => toasts.show({ kind: 'info', title: 'Saving', id: 'save' }));
    act(() => vi.advanceTimersByTime(3_000));
    act(() => toasts.show({ kind: 'success', title: 'Saved', id: 'save' }));
    act(() => vi.advanceTimersByTime(3_900));
    expect(screen.getByTestId('toast').textContent).toBe('Saved');
    act(() => vi.advanceTimersByTime(200));
    expect(screen.queryByTestId('toast')).toBeNull();
  });
  it('stay while the pointer is on one', () => {
    vi.useFakeTimers();
    render(<Toaster />);
    act(() => toasts.show({ kind: 'success', title: 'Saved' }));
    const list = screen.getByRole('region');
    act(() => void list.dispatchEvent(new Event('pointermove')));
    act(() => vi.advanceTimersByTime(60_000));
    expect(screen.getAllByTestId('toast')).toHaveLength(1);
    act(() => void list.dispatchEvent(new Event('pointerleave')));
    act(() => vi.advanceTimersByTime(4_100));
    expect(screen.queryByTestId('toast')).toBeNull();
  });
  it('stay on a page that loads in the background until it is visible', () => {
    vi.useFakeTimers();
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    render(<Toaster />);
    act(() => {
      toasts.show({ kind: 'success', title: 'Mining Node Started!', durationMs: 4000 });
    });
    act(() => vi.advanceTimersByTime(60_000));
    expect(screen.getAllByTestId('toast')).toHaveLength(1);
    Reflect.deleteProperty(document, 'visibilityState');
  });
  it.each([
    ['error', 'assertive'],
    ['success', 'polite'],
  ] as const)('announce an outcome of kind %s as %s', async (kind, live) => {
    render(<Toaster />);
    act(() => {
      toasts.show({ kind, title: 'Check-in' });
    });
    await waitFor(() => {
      const spoken = [...document.querySelectorAll('[aria-live]')].filter((node) =>
        node.textContent?.includes('Check-in'),
      );
      expect(spoken.map((node) => node.getAttribute('aria-live'))).toEqual([live]);
    });
  });
  it('close with their button', async () => {
    render(<Toaster />);
    act(() => {
      toasts.show({ kind: 'warning', title: 'Already Completed' });
    });
    act(() => {
      toasts.show({ kind: 'info', title: 'Saved', text: 'On the server' });
    });
    const [first] = screen.getAllByTestId('toast');
    await userEvent.click(within(first as HTMLElement).getByRole('button', { name: 'Close' }));
    await waitFor(() =>
      expect(screen.getAllByTestId('toast').map(({ textContent }) => textContent)).toEqual(['SavedOn the server']),
    );
    expect(toasts.read()).toHaveLength(1);
  });
});
