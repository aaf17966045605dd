import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { actionGate } from './action-gate';
import { Button, ButtonLink } from './button';
import { CopyField } from './copy-field';
import { IconButton } from './icon-button';
import { Link, LinkButton } from './link';

describe('a button', () => {
  it('is focusable when disabled, shows why, and neither acts nor submits', async () => {
    const does = vi.fn();
    const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(
      <form onSubmit={submit}>
        <Button type="submit" onClick={does} disabled disabledReason="Only once, for life">
          Submit
        </Button>
      </form>,
    );
    const button = screen.getByRole('button', { name: 'Submit' });
    button.focus();
    expect(document.activeElement).toBe(button);
    await userEvent.click(button);
    await userEvent.keyboard('{Enter}');
    expect(does).not.toHaveBeenCalled();
    expect(submit).not.toHaveBeenCalled();
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(reason?.textContent).toBe('Only once, for life');
    expect(button.title).toBe('Only once, for life');
  });
  it('when enabled, shows no reason and keeps its own description', () => {
    render(
      <Button disabledReason="Only once, for life" aria-describedby="note" title="E" trailingIcon={<kbd>E</kbd>}>
        Claim
      </Button>,
    );
    const button = screen.getByRole('button', { name: /Claim/ });
    expect([button.getAttribute('aria-describedby'), button.title, button.textContent]).toEqual([
      'note',
      'E',
      'ClaimE',
    ]);
  });
  it('when loading, shows it, ignores clicks and keeps its width', async () => {
    const does = vi.fn();
    Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { configurable: true, get: () => 148 });
    const { rerender } = render(<Button onClick={does}>Start Mining</Button>);
    rerender(
      <Button onClick={does} loading loadingText="Starting…" trailingIcon={<kbd>S</kbd>}>
        Start Mining
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Starting…' });
    await userEvent.click(button);
    expect(does).not.toHaveBeenCalled();
    expect([button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).toEqual(['true', 'true']);
    expect(button.style.getPropertyValue('--idle-width')).toBe('148px');
    rerender(<Button onClick={does}>Start Mining</Button>);
    expect(button.style.getPropertyValue('--idle-width')).toBe('');
    Reflect.deleteProperty(HTMLElement.prototype, 'offsetWidth');
  });
  it('is disabled while the server is unreachable, with the reason, only if it needs the server', async () => {
    onTestFinished(() => act(() => actionGate.open()));
    const does = vi.fn();
    render(
      <>
        <Button needsServer disabledReason="Only once, for life" onClick={() => does('claim')}>
          Claim
        </Button>
        <Button onClick={() => does('close')}>Close</Button>
      </>,
    );
    act(() => actionGate.shut('This waits until you are online again.'));
    const [claim, close] = screen.getAllByRole<HTMLButtonElement>('button');
    expect([claim?.title, close?.title]).toEqual(['This waits until you are online again.', '']);
    for (const button of [claim, close]) button?.click();
    act(() => actionGate.open());
    expect(claim?.getAttribute('aria-disabled')).toBeNull();
    claim?.click();
    expect(does.mock.calls).toEqual([['close'], ['claim']]);
  });
  it('submits no form by default, and passes no click on when disabled', () => {
    const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    const around = vi.fn();
    render(
      <form onSubmit={submit}>
        <Button>Look up</Button>
        <IconButton label="Close" icon={null} />
        <LinkButton>Rankings</LinkButton>
        {/* biome-ignore lint/a11y: it only counts */}
        <div onClick={around}>
          <Button disabled>Claim</Button>
        </div>
      </form>,
    );
    for (const button of screen.getAllByRole('button')) button.click();
    expect(submit).not.toHaveBeenCalled();
    expect(around).not.toHaveBeenCalled();
  });
  it('sets a ref of either kind', () => {
    const called = vi.fn();
    const ref = { current: null };
    render(
      <>
        <Button ref={called}>One</Button>
        <Button ref={ref}>Two</Button>
      </>,
    );
    expect([called.mock.calls[0]?.[0], ref.current]).toEqual(screen.getAllByRole('button'));
  });
  it('stays the same element with its focus in every state', () => {
    const { rerender } = render(<Button>Claim</Button>);
    const button = screen.getByRole('button');
    button.focus();
    for (const props of [{ loading: true }, { disabled: true, disabledReason: 'Only once' }, {}]) {
      rerender(<Button {...props}>Claimed</Button>);
      expect(document.activeElement).toBe(button);
    }
  });
});

describe('a copy field', () => {
  it('confirms what was copied', async () => {
    const user = userEvent.setup();
    render(<CopyField label="Your referral code" value="K7M2QX9D" />);
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('K7M2QX9D');
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Your referral code: Copied');
  });
  it('shows the confirmation for two seconds from the last press', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    vi.stubGlobal('navigator', { clipboard: { writeText: async () => undefined } });
    render(<CopyField label="Your referral code" value="K7M2QX9D" />);
    const status = () => screen.getByRole('status').textContent;
    const press = () => act(async () => screen.getByRole('button').click());
    await press();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    await press();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(status()).toBe('Your referral code: Copied');
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(status()).toBe('');
    vi.unstubAllGlobals();
  });
  it('selects its text on focus', () => {
    render(<CopyField label="Your referral code" value="K7M2QX9D" />);
    const field = screen.getByLabelText<HTMLInputElement>('Your referral code');
    act(() => field.focus());
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 8]);
  });
  it('selects its text when the clipboard is not allowed', async () => {
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    render(<CopyField label="Your referral code" value="K7M2QX9D" />);
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    const field = screen.getByLabelText<HTMLInputElement>('Your referral code');
    expect(field.selectionEnd).toBe('K7M2QX9D'.length);
    expect(screen.getByRole('status').textContent).toContain('The text is selected');
  });
  it('shows a whole command, and selects all of it when the clipboard is not allowed', async () => {
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    const errors = vi.spyOn(console, 'error');
    const command = 'node verify.mjs cord-proof.json --key a --key b';
    render(<CopyField label="Command" value={command} command />);
    expect(screen.getByRole('group', { name: 'Command' }).querySelector('code')?.textContent).toBe(command);
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(getSelection()?.toString()).toBe(command);
    // An option may occur more than once.
    expect(errors).not.toHaveBeenCalled();
  });
});

it('an external link is marked as such and passes on no opener or referrer; an icon button has its name', () => {
  render(
    <>
      <Link href="https://example.org" external>
        Explorer
      </Link>
      <ButtonLink href="https://example.org" external>
        Explorer
      </ButtonLink>
      <IconButton label="Close" icon={<svg aria-hidden="true" />} />
    </>,
  );
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: /^Explorer.*new tab/ });
  const blank = ['_blank', 'noopener noreferrer'];
  expect(links.map(({ target, rel }) => [target, rel])).toEqual([blank, blank]);
  expect(screen.getByRole('button', { name: 'Close' }).title).toBe('Close');
});
