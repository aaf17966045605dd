import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Notice } from '../feedback/notice';
import { Menu } from '../triggers/menu';
import { toasts } from '../triggers/toast';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import { MenuItem } from './menu-content';
import { Sheet } from './sheet';

afterEach(() => {
  act(() => toasts.clear());
});

/** What opens the dialogs stands in a card; what is open is decided by state, as everywhere in the app. */
function Opener({ children }: { children: (close: () => void) => React.ReactNode }) {
  const [open, setOpen] = useState(false);
  const [there, setThere] = useState(true);
  return (
    <main>
      <section aria-label="card">
        {there && (
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
        )}
        <button type="button" onClick={() => setThere(false)}>
          Take away
        </button>
      </section>
      {open && children(() => setOpen(false))}
    </main>
  );
}

/** One dialog that leads to another. */
function Two({ close }: { close: () => void }) {
  const [second, setSecond] = useState(false);
  return second ? (
    <Dialog key="2" open onOpenChange={close} title="Order">
      <button type="button">Pay</button>
    </Dialog>
  ) : (
    <Dialog key="1" open onOpenChange={close} title="Wallets">
      <button type="button" onClick={() => setSecond(true)}>
        Choose
      </button>
    </Dialog>
  );
}

/** A menu that leads to a dialog. */
function Account() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <Menu trigger={<button type="button">Account</button>}>
        <MenuItem onSelect={() => setOpen(true)}>Sign Out</MenuItem>
      </Menu>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Sign out?"
        description=""
        confirmText="Yes"
        onConfirm={() => undefined}
      />
    </main>
  );
}

describe('focus returns to where it was', () => {
  const opener = () => screen.getByRole('button', { name: 'Open' });
  const dialog = (close: () => void) => (
    <Dialog open onOpenChange={close} title="Connect Discord">
      <button type="button">Try again</button>
    </Dialog>
  );

  it.each([
    ['by mouse', () => userEvent.click(opener())],
    [
      'by keyboard',
      async () => {
        opener().focus();
        await userEvent.keyboard('{Enter}');
      },
    ],
    [
      'in a browser that does not focus what is pressed',
      async () => {
        const button = opener();
        button.addEventListener('mousedown', (event) => event.preventDefault());
        await userEvent.click(button);
        expect(document.activeElement).not.toBe(button);
      },
    ],
  ])('from a dialog without a trigger, opened %s', async (_how, press) => {
    render(<Opener>{dialog}</Opener>);
    await press();
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener()));
  });

  it('from a sheet', async () => {
    render(
      <Opener>
        {(close) => (
          <Sheet open onOpenChange={close} title="Menu">
            <button type="button">Settings</button>
          </Sheet>
        )}
      </Opener>,
    );
    await userEvent.click(opener());
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener()));
  });

  it('from a dialog that another dialog opened', async () => {
    render(<Opener>{(close) => <Two close={close} />}</Opener>);
    await userEvent.click(opener());
    await userEvent.click(await screen.findByRole('button', { name: 'Choose' }));
    await screen.findByRole('dialog', { name: 'Order' });
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Pay'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener()));
  });

  it('to the card of the button, if the button is gone', async () => {
    render(<Opener>{dialog}</Opener>);
    await userEvent.click(opener());
    await screen.findByRole('dialog');
    act(() => screen.getByRole('button', { name: 'Take away', hidden: true }).click());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'card' })));
  });

  it('from a dialog that a menu opened, to the menu’s button', async () => {
    render(<Account />);
    const trigger = () => screen.getByRole('button', { name: 'Account', hidden: true });
    trigger().focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(trigger()));
  });
});

/** A card whose control goes away when it is pressed; what comes in its place is given. */
function Changing({ children }: { children?: React.ReactNode }) {
  const [done, setDone] = useState(false);
  return (
    <main>
      <section aria-label="card">
        <p>Text</p>
        {done ? (
          children
        ) : (
          <button key="claim" type="button" onClick={() => setDone(true)}>
            Claim
          </button>
        )}
      </section>
    </main>
  );
}

describe('a focused control that disappears', () => {
  const claim = async () => {
    screen.getByRole('button', { name: 'Claim' }).focus();
    await userEvent.keyboard('{Enter}');
  };

  it('passes the focus to the control that replaces it', async () => {
    render(
      <Changing>
        <span>
          <button type="button">Stop</button>
        </span>
      </Changing>,
    );
    await claim();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stop' })));
  });

  it('passes the focus to the message that replaces it', async () => {
    render(
      <Changing>
        <Notice title="Compensation Claimed" announce testId="claimed" onClose={() => undefined} />
      </Changing>,
    );
    await claim();
    expect(document.activeElement).toBe(screen.getByTestId('claimed'));
  });

  it('has an alert as its message: a status region is silent unless it exists before its text', () => {
    render(<Notice title="Not sent" announce />);
    expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Not sent');
  });

  it('passes the focus to its card if nothing replaces it', async () => {
    render(<Changing />);
    await claim();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'card' })));
  });

  it('passes the focus to a replacement as a whole if that is more than a control, without scrolling', async () => {
    render(
      <Changing>
        <div data-testid="claimed">
          Claimed <button type="button">Details</button>
        </div>
      </Changing>,
    );
    const focus = vi.spyOn(HTMLElement.prototype, 'focus');
    await claim();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('claimed')));
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true });
  });

  it('passes the focus to the page if it was directly in it', async () => {
    const page = (button: React.ReactNode) => (
      <>
        <a href="#page">Skip</a>
        <main tabIndex={-1}>{button}</main>
      </>
    );
    const { rerender } = render(page(<button type="button">Claim</button>));
    screen.getByRole('button', { name: 'Claim' }).focus();
    rerender(page(null));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
  });

  it('passes no focus on once the user has left it', async () => {
    render(<Changing />);
    const button = screen.getByRole('button', { name: 'Claim' });
    button.focus();
    button.blur();
    await new Promise((resolve) => setTimeout(resolve));
    act(() => button.click());
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.activeElement).toBe(document.body);
  });
});

/** A dialog that is open as the page begins. */
function OpenFromTheStart() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <main>
        <button type="button" data-focus-first>
          Connect Discord
        </button>
      </main>
      <Dialog open={open} onOpenChange={setOpen} title="Connect Discord">
        <button type="button">Try again</button>
      </Dialog>
    </>
  );
}

it('an overlay that opens before anything had focus returns it to the first element of the page', async () => {
  render(<OpenFromTheStart />);
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Connect Discord'));
});
